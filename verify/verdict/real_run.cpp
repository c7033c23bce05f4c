#include "verify/verdict/real_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/eval/evaluate.h"
#include "verify/verdict/near_jumps.h"

namespace pet {
namespace {

template <class T>
T largest(std::span<const T> values) {
  T out = 0;
  for (const T x : values) out = std::max(out, std::abs(x));
  return out;
}

template <class T>
class Runner {
 public:
  Runner(const GraphCode& program, std::size_t runs, const DrawnInput& inputs, Holds holds,
         std::size_t threads, const std::stop_token& stop)
      : program_(program),
        graph_(program.graph()),
        inputs_(inputs),
        holds_(holds),
        evaluator_(Signs::Signed, Functions::Computed, threads, stop, runs),
        stop_(stop),
        values_(graph_.nodes().size()),
        largest_(graph_.nodes().size(), std::vector<T>(runs, 0)),
        near_jumps_(graph_, runs),
        runs_(runs) {}

  Result<std::vector<RealRun<T>>> run() {
    const auto needed = graph_.needed_by_outputs();
    std::vector<std::size_t> uses(needed.size(), 0);
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      for (const NodeId operand : graph_.node(id).operands) ++uses[operand.index()];
    }
    for (const NodeId output : graph_.outputs()) ++uses[output.index()];
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (auto done = compute(id); !done) return std::move(done).error();
      for (const NodeId operand : graph_.node(id).operands) {
        if (--uses[operand.index()] == 0) values_[operand.index()].reset();
      }
    }
    for (const NodeId output : graph_.outputs()) {
      const auto& value = values_[output.index()];
      for (std::size_t run = 0; run < runs_.size(); ++run)
        if (value) {
          const auto lane = value->lane(run);
          runs_[run].outputs.emplace_back(lane.begin(), lane.end());
        } else {
          runs_[run].outputs.emplace_back();
        }
    }
    return std::move(runs_);
  }

 private:
  Status compute(NodeId id) {
    const Node& node = graph_.node(id);
    auto& value = values_[id.index()];
    if (!node.type.shape || !are_numbers(node.type.dtype)) return Done{};
    if (const InputLeaf* input = node.input()) {
      value.emplace(*node.type.shape, runs_.size());
      for (std::size_t run = 0; run < runs_.size(); ++run) {
        const auto drawn = inputs_(run, input->name, node.type);
        std::copy(drawn.begin(), drawn.end(), value->lane(run).begin());
      }
    } else if (const Tensor* tensor = node.constant()) {
      value.emplace(tensor->shape(), runs_.size());
      const std::vector<double> numbers = numbers_of(*tensor);
      for (std::size_t run = 0; run < runs_.size(); ++run)
        std::ranges::copy(numbers, value->lane(run).begin());
    } else if (graph_.has_meaning(id)) {
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) {
        if (!values_[operand.index()]) return Done{};
        operands.push_back(&*values_[operand.index()]);
      }
      auto result = evaluator_.evaluate(*program_.at(id), operands);
      if (!result) return std::move(result).error();
      value = *std::move(result);
      if (holds_ == Holds::Numbers && near_jumps_.are_possible()) {
        if (auto done =
                near_jumps_.look(id, *program_.at(id), operands, evaluator_, reach(), *value);
            !done)
          return done;
      }
      for (T& x : value->values()) {
        if (holds_ == Holds::Floats && node.type.dtype == DType::Float) {
          x = static_cast<T>(static_cast<float>(x));
        } else if (!std::isfinite(x)) {
          x = std::numeric_limits<T>::quiet_NaN();  // which no function makes a number of again
        }
      }
      note_terms(graph_.meaning(id), node);
    }
    if (!value) return Done{};
    const bool is_leaf = node.input() != nullptr || node.constant() != nullptr;
    if (is_leaf && near_jumps_.are_possible()) near_jumps_.note_leaf(id, *value);
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const T size = largest_[id.index()][run] = largest<T>(value->lane(run));
      // A constant is exact: it counts in the terms that it is part of, not as a limit of a clip.
      T& largest_term = runs_[run].largest_term;
      if (std::isfinite(size) && node.constant() == nullptr)
        largest_term = std::max(largest_term, size);
    }
    return Done{};
  }

  // How far results may be from what they stand for, by run: some roundings of the largest term.
  std::vector<T> reach() const {
    std::vector<T> out;
    for (const RealRun<T>& run : runs_) out.push_back(run.largest_term * kReach);
    return out;
  }

  void note_terms(const Meaning& meaning, const Node& node) {
    for (const Term& term : meaning.sum.terms) {
      const T scale = static_cast<T>(std::abs(to_double(term.coef.scale)));
      for (std::size_t run = 0; run < runs_.size(); ++run) {
        T size = scale;
        for (const Access& access : term.factors) {
          const auto k = static_cast<std::size_t>(access.operand);
          if (k < node.operands.size()) size *= largest_[node.operands[k].index()][run];
        }
        T& largest_term = runs_[run].largest_term;
        if (std::isfinite(size)) largest_term = std::max(largest_term, size);
      }
    }
  }

  const GraphCode& program_;
  const Graph& graph_;
  const DrawnInput& inputs_;
  Holds holds_;
  RealEvaluator<T> evaluator_;
  const std::stop_token& stop_;
  std::vector<std::optional<LaneTensor<T>>> values_;
  std::vector<std::vector<T>> largest_;  // by node and run
  NearJumps<T> near_jumps_;
  std::vector<RealRun<T>> runs_;

  static constexpr T kReach = std::is_same_v<T, double> ? 0x1p-40L : 0x1p-54L;
};

}  // namespace

template <class T>
Result<std::vector<RealRun<T>>> real_runs(const GraphCode& program, std::size_t runs,
                                          const DrawnInput& inputs, Holds holds,
                                          std::size_t threads, const std::stop_token& stop) {
  return Runner<T>(program, runs, inputs, holds, threads, stop).run();
}

template Result<std::vector<RealRun<double>>> real_runs(const GraphCode&, std::size_t,
                                                        const DrawnInput&, Holds, std::size_t,
                                                        const std::stop_token&);
template Result<std::vector<RealRun<long double>>> real_runs(const GraphCode&, std::size_t,
                                                             const DrawnInput&, Holds, std::size_t,
                                                             const std::stop_token&);

}  // namespace pet
