#include "verify/real_run.h"

#include <algorithm>
#include <cmath>

#include "core/eval/evaluate.h"

namespace pet {
namespace {

template <class T>
T largest(const LaneTensor<T>& tensor) {
  T out = 0;
  for (const T x : tensor.lanes[0]) out = std::max(out, std::abs(x));
  return out;
}

template <class T>
class Runner {
 public:
  Runner(const GraphCode& program, const DrawnInput& inputs, Holds holds, std::size_t threads,
         const std::stop_token& stop)
      : program_(program),
        graph_(program.graph()),
        inputs_(inputs),
        holds_(holds),
        evaluator_(Signs::Signed, Functions::Computed, threads, stop),
        stop_(stop),
        values_(graph_.nodes().size()),
        largest_(graph_.nodes().size(), 0) {}

  Result<RealRun<T>> run() {
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
      run_.outputs.push_back(value ? value->lanes[0] : std::vector<T>{});
    }
    return std::move(run_);
  }

 private:
  Status compute(NodeId id) {
    const Node& node = graph_.node(id);
    auto& value = values_[id.index()];
    if (!node.type.shape || node.type.dtype != DType::Float) return Done{};
    if (const InputLeaf* input = node.input()) {
      const auto drawn = inputs_(input->name, *node.type.shape);
      value.emplace(*node.type.shape, 1);
      std::copy(drawn.begin(), drawn.end(), value->lanes[0].begin());
    } else if (const Tensor* tensor = node.constant()) {
      value.emplace(tensor->shape(), 1);
      std::copy(tensor->floats().begin(), tensor->floats().end(), value->lanes[0].begin());
    } else if (graph_.has_meaning(id)) {
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) {
        if (!values_[operand.index()]) return Done{};
        operands.push_back(&*values_[operand.index()]);
      }
      auto result = evaluator_.evaluate(*program_.at(id), operands);
      if (!result) return std::move(result).error();
      value = *std::move(result);
      if (holds_ == Holds::Floats) {
        for (T& x : value->lanes[0]) x = static_cast<T>(static_cast<float>(x));
      }
      note_terms(graph_.meaning(id), node);
    }
    if (value) largest_[id.index()] = largest(*value);
    return Done{};
  }

  void note_terms(const Meaning& meaning, const Node& node) {
    for (const Term& term : meaning.sum.terms) {
      T size = static_cast<T>(std::abs(to_double(term.coef.scale)));
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        if (k < node.operands.size()) size *= largest_[node.operands[k].index()];
      }
      if (std::isfinite(size)) run_.largest_term = std::max(run_.largest_term, size);
    }
  }

  const GraphCode& program_;
  const Graph& graph_;
  const DrawnInput& inputs_;
  Holds holds_;
  RealEvaluator<T> evaluator_;
  const std::stop_token& stop_;
  std::vector<std::optional<LaneTensor<T>>> values_;
  std::vector<T> largest_;
  RealRun<T> run_;
};

}  // namespace

template <class T>
Result<RealRun<T>> real_run(const GraphCode& program, const DrawnInput& inputs, Holds holds,
                            std::size_t threads, const std::stop_token& stop) {
  return Runner<T>(program, inputs, holds, threads, stop).run();
}

template Result<RealRun<double>> real_run(const GraphCode&, const DrawnInput&, Holds, std::size_t,
                                          const std::stop_token&);
template Result<RealRun<long double>> real_run(const GraphCode&, const DrawnInput&, Holds,
                                               std::size_t, const std::stop_token&);

}  // namespace pet
