#include "verify/weights/constant_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/eval/evaluate.h"
#include "core/util/printable.h"
#include "verify/rounding/conditioning.h"

namespace pet {
namespace {

using Numbers = LaneTensor<double>;
constexpr std::size_t kFloats = 0;  // the lane of what floats hold after every operator
constexpr std::size_t kReals = 1;
constexpr std::size_t kLanes = 2;

struct ConstantsInFloats {
  std::string beyond;  // one that no float can hold, in words; empty where there is none
  // How far from its value over the reals floats are, as a share of it, at the worst element that
  // something else reads (one much smaller than its tensor's mean is held against that). Every
  // operator rounds once.
  double error = 0;
};

bool all_finite(const Numbers& numbers) {
  return std::ranges::all_of(numbers.lane(kFloats), [](double x) { return std::isfinite(x); });
}

// Held against the mean where that is far larger.
double error_of(const Numbers& numbers) {
  const auto reals = numbers.lane(kReals);
  double mean = 0;
  for (const double x : reals) mean += std::abs(x) / static_cast<double>(reals.size());
  double worst = 0;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double error = std::abs(numbers.lane(kFloats)[i] - reals[i]);
    const double size = std::max(std::abs(reals[i]), mean * kNothingBeside);
    if (error > 0) worst = std::max(worst, error / size);
  }
  return worst;
}

class Constants {
 public:
  Constants(const Graph& program, std::size_t threads, const std::stop_token& stop)
      : program_(program),
        evaluator_(Signs::Signed, Functions::Computed, threads, stop, kLanes),
        stop_(stop),
        needed_(program.needed_by_outputs()),
        depends_(program.depends_on_inputs()) {}

  Result<ConstantsInFloats> run() {
    ConstantsInFloats out;
    const auto read = read_by_others();
    for (const NodeId id : program_.ids()) {
      if (!is_computed(id)) continue;
      const auto mine = value(id);
      if (!mine) return mine.error();
      if (*mine == nullptr) continue;
      if (all_finite(**mine)) {
        if (read[id.index()] != 0) out.error = std::max(out.error, error_of(**mine));
        continue;
      }
      const auto& operands = program_.node(id).operands;
      const bool from_finite = std::all_of(operands.begin(), operands.end(), [&](NodeId operand) {
        return all_finite(values_.at(operand));
      });
      if (from_finite) {
        out.beyond =
            fmt::format("the constant '{}', computed by {}, is beyond the range of floats",
                        printable(program_.node(id).name), program_.node(id).op()->def->name);
        return out;
      }
    }
    return out;
  }

 private:
  bool is_computed(NodeId id) const {
    return needed_[id.index()] != 0 && depends_[id.index()] == 0 &&
           program_.node(id).op() != nullptr;
  }

  // By node: not 0 where it is an output, or read by what is no such constant.
  std::vector<char> read_by_others() const {
    std::vector<char> out(program_.nodes().size(), 0);
    for (const NodeId output : program_.outputs()) out[output.index()] = 1;
    for (const NodeId id : program_.ids()) {
      if (needed_[id.index()] == 0) continue;
      if (is_computed(id) && program_.has_meaning(id)) continue;
      for (const NodeId operand : program_.node(id).operands) out[operand.index()] = 1;
    }
    return out;
  }

  // Null for what is no tensor of floats. REQUIRES: the operators that it reads were asked for
  // before
  Result<const Numbers*> value(NodeId id) {
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const Node& node = program_.node(id);
    if (!is_tensor_of_floats(node) || !program_.has_meaning(id)) return nullptr;
    std::vector<const Numbers*> operands;
    for (const NodeId operand : node.operands) {
      operands.push_back(known(operand));
      if (operands.back() == nullptr) return nullptr;
    }
    auto computed = evaluator_.evaluate(program_.meaning(id), operands);
    if (!computed) return std::move(computed).error();
    for (double& x : computed->lane(kFloats)) x = static_cast<double>(static_cast<float>(x));
    return &(values_[id] = *std::move(computed));
  }

  const Numbers* known(NodeId id) {
    if (const auto it = values_.find(id); it != values_.end()) return &it->second;
    const Node& node = program_.node(id);
    if (node.constant() == nullptr || !is_tensor_of_floats(node)) return nullptr;
    Numbers& numbers = values_[id] = Numbers(*node.type.shape, kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      std::ranges::copy(node.constant()->floats(), numbers.lane(lane).begin());
    return &numbers;
  }

  static bool is_tensor_of_floats(const Node& node) {
    return node.type.dtype == DType::Float && node.type.shape;
  }

  const Graph& program_;
  RealEvaluator<double> evaluator_;
  const std::stop_token& stop_;
  std::vector<char> needed_, depends_;
  std::map<NodeId, Numbers> values_;
};

}  // namespace

Result<std::string> objection_to_constants(const Graph& original, const Graph& mutant,
                                           std::size_t threads, const std::stop_token& stop) {
  const auto theirs = Constants(original, threads, stop).run();
  if (!theirs) return theirs.error();
  const auto mine = Constants(mutant, threads, stop).run();
  if (!mine) return mine.error();
  for (const auto* constants : {&*theirs, &*mine}) {
    if (!constants->beyond.empty()) return constants->beyond;
  }
  constexpr double kOneRounding = 0x1p-24;
  const double allowed = std::max(theirs->error, kOneRounding) * kLargestGrowth;
  if (mine->error <= allowed) return std::string{};
  return fmt::format("ill-conditioned: floats are off by {:.2g} of a constant that is computed",
                     mine->error);
}

}  // namespace pet
