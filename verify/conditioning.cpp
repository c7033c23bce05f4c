#include "verify/conditioning.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/eval/evaluate.h"

namespace pet {
namespace {

using Channels = std::vector<double>;

// The largest value of each channel (axis 1), or of the whole where there is none.
Channels channel_maxima(const LaneTensor<double>& tensor) {
  const bool has_channels = tensor.shape.size() >= 2 && tensor.shape[1] > 0;
  const auto channels = has_channels ? static_cast<std::size_t>(tensor.shape[1]) : 1;
  std::size_t inner = 1;
  for (std::size_t a = 2; a < tensor.shape.size(); ++a) inner *= static_cast<std::size_t>(tensor.shape[a]);
  Channels out(channels, 0);
  for (std::size_t i = 0; i < tensor.lanes[0].size(); ++i) {
    double& largest = out[has_channels ? i / inner % channels : 0];
    const double x = tensor.lanes[0][i];
    largest = std::isnan(x) ? INFINITY : std::max(largest, x);
  }
  return out;
}

// The sizes of a program's sums: at its outputs, and at the arguments of every element function, by the function.
struct Sizes {
  std::vector<Channels> outputs;
  std::map<std::string, std::vector<Channels>> arguments;
};

LaneTensor<double> leaf(const Node& node) {
  LaneTensor<double> out(*node.type.shape, 1);
  const Tensor* tensor = node.constant();
  if (tensor != nullptr && node.type.dtype == DType::Float && tensor->all_finite()) {
    std::transform(tensor->floats().begin(), tensor->floats().end(), out.lanes[0].begin(),
                   [](float x) { return std::abs(static_cast<double>(x)); });
  } else {
    std::fill(out.lanes[0].begin(), out.lanes[0].end(), 1.0);
  }
  return out;
}

void note_arguments(const Meaning& meaning, const std::vector<const LaneTensor<double>*>& operands, Sizes& sizes) {
  for (const Application& application : meaning.applications) {
    auto& list = sizes.arguments[std::string(application.function->name)];
    for (const Access& access : application.elements) {
      const auto i = static_cast<std::size_t>(access.operand);
      if (i < operands.size()) list.push_back(channel_maxima(*operands[i]));
    }
    if (application.window) {
      const auto i = static_cast<std::size_t>(application.window->read.operand);
      if (i < operands.size()) list.push_back(channel_maxima(*operands[i]));
    }
  }
}

Result<Sizes> sizes_of(const Graph& graph, std::size_t threads, const std::stop_token& stop) {
  const RealEvaluator<double> evaluator(Signs::Absolute, Functions::One, threads);
  std::vector<std::size_t> uses(graph.nodes().size(), 0);
  for (const Node& node : graph.nodes()) {
    for (const NodeId operand : node.operands) ++uses[operand.index()];
  }
  for (const NodeId output : graph.outputs()) ++uses[output.index()];
  Sizes sizes;
  std::vector<LaneTensor<double>> values(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const Node& node = graph.node(id);
    if (!node.type.shape) continue;  // opaque, and so is all that reads it
    if (node.op() == nullptr || !graph.has_meaning(id)) {
      values[id.index()] = leaf(node);
    } else {
      std::vector<const LaneTensor<double>*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&values[operand.index()]);
      const Meaning meaning = graph.meaning(id);
      note_arguments(meaning, operands, sizes);
      auto result = evaluator.evaluate(meaning, operands);
      if (!result) return std::move(result).error();
      values[id.index()] = *std::move(result);
    }
    for (const NodeId operand : node.operands) {
      if (--uses[operand.index()] == 0) values[operand.index()] = {};
    }
  }
  for (const NodeId output : graph.outputs()) {
    sizes.outputs.push_back(graph.node(output).type.shape ? channel_maxima(values[output.index()]) : Channels{1});
  }
  return sizes;
}

double ratio_of(double mutant, double original) {
  if (!std::isfinite(mutant)) return INFINITY;
  return mutant <= original || mutant == 0 ? 1 : original == 0 ? INFINITY : mutant / original;
}

double worst_ratio(const Channels& mutant, const Channels& original) {
  double worst = 1;
  if (mutant.size() == original.size()) {
    for (std::size_t c = 0; c < mutant.size(); ++c) worst = std::max(worst, ratio_of(mutant[c], original[c]));
    return worst;
  }
  return ratio_of(*std::max_element(mutant.begin(), mutant.end()), *std::max_element(original.begin(), original.end()));
}

// Arguments that only the mutant has are compared with the closest of the original's under the same function.
double argument_ratio(const Channels& mutant, const std::vector<Channels>& originals) {
  double best = INFINITY;
  for (const Channels& original : originals) best = std::min(best, worst_ratio(mutant, original));
  return best;
}

}  // namespace

Result<double> growth(const Graph& original, const Graph& mutant, std::size_t threads, std::stop_token stop) {
  const auto a = sizes_of(original, threads, stop);
  if (!a) return a.error();
  const auto b = sizes_of(mutant, threads, stop);
  if (!b) return b.error();
  double worst = 1;
  for (std::size_t i = 0; i < a->outputs.size(); ++i) worst = std::max(worst, worst_ratio(b->outputs[i], a->outputs[i]));
  for (const auto& [function, list] : b->arguments) {
    const auto theirs = a->arguments.find(function);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool paired = theirs != a->arguments.end() && theirs->second.size() == list.size();
      if (paired) {
        worst = std::max(worst, worst_ratio(list[i], theirs->second[i]));
      } else {
        worst = std::max(worst, theirs == a->arguments.end() ? INFINITY : argument_ratio(list[i], theirs->second));
      }
    }
  }
  return worst;
}

}  // namespace pet
