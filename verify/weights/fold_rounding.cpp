#include "verify/weights/fold_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/eval/evaluate.h"

namespace pet {
namespace {

using Numbers = LaneTensor<double>;

// What constants of a program compute, with signs or in absolute value.
class Values {
 public:
  Values(const Graph& program, Signs signs, std::size_t threads, const std::stop_token& stop)
      : program_(program),
        signs_(signs),
        evaluator_(signs, Functions::Computed, threads, stop),
        stop_(stop) {}

  // Operands come earlier than what reads them: no recursion.
  Result<const Numbers*> of(NodeId wanted) {
    for (const NodeId id : needed_by(wanted)) {
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (values_.contains(id)) continue;
      if (auto made = make(id); !made) return std::move(made).error();
    }
    return &values_.at(wanted);
  }

 private:
  std::vector<NodeId> needed_by(NodeId wanted) const {
    std::vector<char> is_needed(wanted.index() + 1, 0);
    is_needed[wanted.index()] = 1;
    for (std::size_t i = wanted.index() + 1; i-- > 0;) {
      if (is_needed[i] == 0) continue;
      for (const NodeId operand : program_.node(NodeId(i)).operands) is_needed[operand.index()] = 1;
    }
    std::vector<NodeId> out;
    for (std::size_t i = 0; i < is_needed.size(); ++i)
      if (is_needed[i] != 0) out.emplace_back(i);
    return out;
  }

  Status make(NodeId id) {
    const Node& node = program_.node(id);
    if (const Tensor* tensor = node.constant()) {
      Numbers& numbers = values_[id] = Numbers(tensor->shape(), 1);
      if (tensor->type().dtype != DType::Float) return Done{};  // numbers that no term reads
      std::ranges::transform(tensor->floats(), numbers.lane(0).begin(), [this](float x) {
        return signs_ == Signs::Absolute ? std::abs(double{x}) : double{x};
      });
      return Done{};
    }
    if (!program_.has_meaning(id))
      return Error{"a constant's program has an operator without a meaning"};
    std::vector<const Numbers*> operands;
    for (const NodeId operand : node.operands) operands.push_back(&values_.at(operand));
    auto computed = evaluator_.evaluate(program_.meaning(id), operands);
    if (!computed) return std::move(computed).error();
    values_[id] = *std::move(computed);
    return Done{};
  }

  const Graph& program_;
  const Signs signs_;
  const RealEvaluator<double> evaluator_;
  const std::stop_token& stop_;
  std::map<NodeId, Numbers> values_;
};

// Of a float of that size; below the normal floats they are as far apart as there.
double unit_in_the_last_place(double size) {
  constexpr double kSmallestNormal = std::numeric_limits<float>::min();
  return std::ldexp(1.0, std::ilogb(std::max(size, kSmallestNormal)) - 23);
}

}  // namespace

Result<double> worst_fold(const Unfolded& mutant, std::size_t threads,
                          const std::stop_token& stop) {
  Values values(mutant.graph, Signs::Signed, threads, stop);
  Values sizes(mutant.graph, Signs::Absolute, threads, stop);
  double worst = 0;
  for (const FoldedConstant& constant : mutant.folded) {
    const auto value = values.of(constant.program);
    if (!value) return value.error();
    const auto size = sizes.of(constant.program);
    if (!size) return size.error();
    const auto stored = constant.stored->floats();
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const double far = std::abs(double{stored[i]} - (*value)->lane(0)[i]);
      const double ulp = far / unit_in_the_last_place((*size)->lane(0)[i]);
      if (!std::isfinite(ulp)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, ulp);
    }
  }
  return worst;
}

}  // namespace pet
