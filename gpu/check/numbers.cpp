#include "gpu/check/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "core/eval/evaluate.h"

namespace pet::gpu {
namespace {

Dim channel_of(const Shape& shape, std::size_t element) {
  if (shape.size() < 2) return 0;
  const auto strides = row_major_strides(shape);
  return static_cast<Dim>(element) / strides[1] % shape[1];
}

std::vector<double> largest_by_channel(const Shape& shape, std::span<const double> values) {
  std::vector<double> out(shape.size() < 2 ? 1 : static_cast<std::size_t>(shape[1]), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& largest = out[static_cast<std::size_t>(channel_of(shape, i))];
    if (std::isfinite(values[i])) largest = std::max(largest, std::abs(values[i]));
  }
  return out;
}

std::optional<double> difference_of(const Shape& shape, const std::vector<float>& output,
                                    const std::vector<double>& expected) {
  const auto largest = largest_by_channel(shape, expected);
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i]) || std::abs(expected[i]) > 1e30) continue;
    if (!std::isfinite(output[i])) return std::nullopt;
    const double by = largest[static_cast<std::size_t>(channel_of(shape, i))];
    worst = std::max(worst, std::abs(output[i] - expected[i]) / std::max(by, 1e-30));
  }
  return worst;
}

}  // namespace

Numbers drawn_inputs(const Graph& graph, Drawn drawn, Rng& rng) {
  Numbers out;
  for (const NodeId id : graph.inputs()) {
    auto& values = out.emplace_back();
    const TensorType& type = graph.node(id).type;
    for (Dim i = 0; i < count(*type.shape); ++i) {
      const double x = drawn == Drawn::Signed ? rng.normal() : 0.25 + 1.5 * rng.uniform();
      values.push_back(type.dtype == DType::Bool ? static_cast<float>(rng.below(2))
                                                 : static_cast<float>(x));
    }
  }
  return out;
}

namespace {

using Reals = LaneTensor<double>;

double largest_of(std::span<const double> values) {
  double out = 0;
  for (const double x : values)
    if (std::isfinite(x)) out = std::max(out, std::abs(x));
  return out;
}

// `change` is told the value of every operator, and the largest that functions of it are applied
// to; 0 where it applies none.
std::optional<std::vector<std::vector<double>>> evaluated(
    const Graph& graph, const Numbers& inputs, const std::function<void(Reals&, double)>& change) {
  const RealEvaluator<double> evaluator(Signs::Signed, Functions::Computed, 1);
  std::vector<Reals> values(graph.nodes().size());
  const auto needed = graph.needed_by_outputs();
  std::size_t input = 0;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (needed[id.index()] == 0 && node.input() == nullptr) continue;
    Reals& value = values[id.index()];
    if (node.op() != nullptr) {
      if (!graph.has_meaning(id)) return std::nullopt;
      std::vector<const Reals*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&values[operand.index()]);
      auto result = evaluator.evaluate(graph.meaning(id), operands);
      if (!result) return std::nullopt;
      value = *std::move(result);
      double argument = 0;
      if (!graph.meaning(id).applications.empty()) {
        for (const Reals* operand : operands)
          argument = std::max(argument, largest_of(operand->lane(0)));
      }
      change(value, argument);
      continue;
    }
    if (node.constant() != nullptr && node.type.dtype != DType::Float) return std::nullopt;
    value = Reals(*node.type.shape, 1);
    const auto from = node.constant() != nullptr ? node.constant()->floats()
                                                 : std::span<const float>(inputs[input++]);
    std::ranges::copy(from, value.lane(0).begin());
  }
  std::vector<std::vector<double>> out;
  for (const NodeId id : graph.outputs()) {
    const auto lane = values[id.index()].lane(0);
    out.emplace_back(lane.begin(), lane.end());
  }
  return out;
}

}  // namespace

std::optional<std::vector<std::vector<double>>> by_definition(const Graph& graph,
                                                              const Numbers& inputs) {
  return evaluated(graph, inputs, [](Reals&, double) {});
}

namespace {

enum class Rounded { ByItself, ByChannel, ByArgument };

// To a float, half an ulp up or down: of each value, of the largest of its channel (a sum has
// larger terms than it is); or up or down to a multiple of an ulp of the largest that functions are
// applied to (inside of them are numbers of that size: x/2·(1 + erf(x/√2)) is nothing where it is
// next to nothing).
void round(Reals& values, Rounded how, double argument, Rng& rng) {
  constexpr double kHalfAnUlp = 0x1p-24;
  const auto all = values.lane(0);
  const auto largest = largest_by_channel(values.shape, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_up = rng.below(2) == 0;
    double by = std::abs(all[i]);
    if (how == Rounded::ByChannel)
      by = largest[static_cast<std::size_t>(channel_of(values.shape, i))];
    const double step = 2 * kHalfAnUlp * argument;
    double x = all[i] + kHalfAnUlp * by * (is_up ? 1 : -1);
    if (how == Rounded::ByArgument && step > 0)
      x = (is_up ? std::ceil(all[i] / step) : std::floor(all[i] / step)) * step;
    all[i] = static_cast<float>(x);
  }
}

}  // namespace

double sensitivity(const Graph& graph, const Numbers& inputs, Rng& rng) {
  constexpr std::array kHow = {Rounded::ByItself, Rounded::ByChannel, Rounded::ByArgument};
  constexpr std::size_t kTries = 8 * kHow.size();
  const auto exactly = by_definition(graph, inputs);
  double worst = 0;
  for (std::size_t i = 0; i < kTries && exactly; ++i) {
    const auto off = evaluated(graph, inputs, [&](Reals& values, double argument) {
      round(values, kHow[i % kHow.size()], argument, rng);
    });
    Numbers rounded;
    for (const auto& output : *off) rounded.emplace_back(output.begin(), output.end());
    constexpr double kNoNumber = std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference(graph, rounded, *exactly).value_or(kNoNumber));
  }
  return worst;
}

std::optional<double> difference(const Graph& graph, const Numbers& outputs,
                                 const std::vector<std::vector<double>>& expected) {
  double worst = 0;
  for (std::size_t o = 0; o < expected.size(); ++o) {
    const Shape& shape = *graph.node(graph.outputs()[o]).type.shape;
    const auto one = difference_of(shape, outputs[o], expected[o]);
    if (!one) return std::nullopt;
    worst = std::max(worst, *one);
  }
  return worst;
}

}  // namespace pet::gpu
