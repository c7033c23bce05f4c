#include "verify/constant_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/eval/evaluate.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Numbers = LaneTensor<double>;

bool all_finite(const Numbers& numbers) {
  return std::all_of(numbers.lane(0).begin(), numbers.lane(0).end(),
                     [](double x) { return std::isfinite(x); });
}

class ConstantRange {
 public:
  ConstantRange(const Graph& program, std::size_t threads, const std::stop_token& stop)
      : program_(program),
        evaluator_(Signs::Signed, Functions::Computed, threads, stop),
        stop_(stop) {}

  Result<std::string> run() {
    const auto needed = program_.needed_by_outputs();
    const auto depends = program_.depends_on_inputs();
    for (const NodeId id : program_.ids()) {
      if (needed[id.index()] == 0 || depends[id.index()] != 0) continue;
      if (program_.node(id).op() == nullptr) continue;
      const auto mine = value(id);
      if (!mine) return mine.error();
      if (*mine == nullptr || all_finite(**mine)) continue;
      const auto& operands = program_.node(id).operands;
      const bool from_finite = std::all_of(operands.begin(), operands.end(), [&](NodeId operand) {
        return all_finite(values_.at(operand));
      });
      if (from_finite) {
        return fmt::format("the constant '{}', computed by {}, is beyond the range of floats",
                           printable(program_.node(id).name), program_.node(id).op()->def->name);
      }
    }
    return std::string{};
  }

 private:
  // As floats hold it; null for what is no tensor of floats.
  Result<const Numbers*> value(NodeId id) {
    if (const auto it = values_.find(id); it != values_.end()) return &it->second;
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const Node& node = program_.node(id);
    if (node.type.dtype != DType::Float || !node.type.shape) return nullptr;
    if (const Tensor* tensor = node.constant()) {
      Numbers& numbers = values_[id] = Numbers(*node.type.shape, 1);
      std::ranges::copy(tensor->floats(), numbers.values().begin());
      return &numbers;
    }
    if (!program_.has_meaning(id)) return nullptr;
    std::vector<const Numbers*> operands;
    for (const NodeId operand : node.operands) {
      const auto theirs = value(operand);
      if (!theirs || *theirs == nullptr) return theirs;
      operands.push_back(*theirs);
    }
    auto computed = evaluator_.evaluate(program_.meaning(id), operands);
    if (!computed) return std::move(computed).error();
    for (double& x : computed->values()) x = static_cast<double>(static_cast<float>(x));
    return &(values_[id] = *std::move(computed));
  }

  const Graph& program_;
  RealEvaluator<double> evaluator_;
  const std::stop_token& stop_;
  std::map<NodeId, Numbers> values_;
};

}  // namespace

Result<std::string> constant_beyond_floats(const Graph& program, std::size_t threads,
                                           const std::stop_token& stop) {
  return ConstantRange(program, threads, stop).run();
}

}  // namespace pet
