#include "gpu/check/numbers.h"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "core/eval/evaluate.h"

namespace pet::gpu {
namespace {

template <class T>
using Outputs = std::vector<std::vector<T>>;

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

// T is float or double: floats that were kept in doubles may be compared, too.
template <class T>
double difference_of(const Shape& shape, const std::vector<T>& output,
                     const std::vector<double>& expected) {
  const auto largest = largest_by_channel(shape, expected);
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i]) || std::abs(expected[i]) > 1e30) continue;
    if (!std::isfinite(output[i])) return std::numeric_limits<double>::infinity();
    const double by = largest[static_cast<std::size_t>(channel_of(shape, i))];
    const double off = std::abs(static_cast<double>(output[i]) - expected[i]);
    worst = std::max(worst, off / std::max(by, 1e-30));
  }
  return worst;
}

template <class T>
double difference(const Graph& graph, const Outputs<T>& outputs, const Outputs<double>& expected) {
  double worst = 0;
  for (std::size_t o = 0; o < expected.size(); ++o) {
    const Shape& shape = *graph.node(graph.outputs()[o]).type.shape;
    worst = std::max(worst, difference_of(shape, outputs[o], expected[o]));
  }
  return worst;
}

double largest_of(std::span<const double> values) {
  double out = 0;
  for (const double x : values)
    if (std::isfinite(x)) out = std::max(out, std::abs(x));
  return out;
}

// Told the value of every operator, and the largest that functions of it are applied to; 0 where it
// applies none.
template <class T>
using Change = std::function<void(LaneTensor<T>&, double)>;

template <class T>
double largest_argument(const Meaning& meaning, std::span<const LaneTensor<T>* const> operands) {
  double out = 0;
  if (meaning.applications.empty()) return out;
  for (const auto* operand : operands) {
    const auto lane = operand->lane(0);
    out = std::max(out, largest_of(std::vector<double>(lane.begin(), lane.end())));
  }
  return out;
}

// What the definitions make of the inputs, in numbers of the type T.
template <class T>
std::optional<Outputs<T>> evaluated(const Graph& graph, const Numbers& inputs,
                                    const Change<T>& change = {}) {
  const RealEvaluator<T> evaluator(Signs::Signed, Functions::Computed, 1);
  std::vector<LaneTensor<T>> values(graph.nodes().size());
  const auto needed = graph.needed_by_outputs();
  std::size_t input = 0;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (needed[id.index()] == 0 && node.input() == nullptr) continue;
    LaneTensor<T>& value = values[id.index()];
    if (node.op() != nullptr) {
      if (!graph.has_meaning(id)) return std::nullopt;
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&values[operand.index()]);
      auto result = evaluator.evaluate(graph.meaning(id), operands);
      if (!result) return std::nullopt;
      value = *std::move(result);
      if (change) change(value, largest_argument<T>(graph.meaning(id), operands));
      continue;
    }
    if (node.constant() != nullptr && node.type.dtype != DType::Float) return std::nullopt;
    value = LaneTensor<T>(*node.type.shape, 1);
    const auto from = node.constant() != nullptr ? node.constant()->floats()
                                                 : std::span<const float>(inputs[input++]);
    std::ranges::copy(from, value.lane(0).begin());
  }
  Outputs<T> out;
  for (const NodeId id : graph.outputs()) {
    const auto lane = values[id.index()].lane(0);
    out.emplace_back(lane.begin(), lane.end());
  }
  return out;
}

class RoundedTowards {
 public:
  explicit RoundedTowards(int direction) : before_(std::fegetround()) {
    std::fesetround(direction);
  }
  ~RoundedTowards() { std::fesetround(before_); }
  RoundedTowards(const RoundedTowards&) = delete;
  RoundedTowards& operator=(const RoundedTowards&) = delete;

 private:
  int before_;
};

double lost_in_floats(const Graph& graph, const Numbers& inputs, const Outputs<double>& expected) {
  double worst = difference(graph, *evaluated<float>(graph, inputs), expected);
  for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::optional<Outputs<float>> rounded;
    {
      const RoundedTowards towards(direction);
      rounded = evaluated<float>(graph, inputs);
    }
    worst = std::max(worst, difference(graph, *rounded, expected) / 2);
  }
  return worst;
}

enum class Rounded { ByItself, ByChannel, ByArgument };

// To a float, half an ulp up or down: of each value, of the largest of its channel (a sum has
// larger terms than it is); or up or down to a multiple of an ulp of the largest that functions are
// applied to.
void round(LaneTensor<double>& values, Rounded how, double argument, Rng& rng) {
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

double lost_in_drawn_roundings(const Graph& graph, const Numbers& inputs,
                               const Outputs<double>& expected) {
  constexpr std::array kHow = {Rounded::ByItself, Rounded::ByChannel, Rounded::ByArgument};
  constexpr std::size_t kDraws = 8 * kHow.size();
  Rng rng(1);
  double worst = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const auto off =
        evaluated<double>(graph, inputs, [&](LaneTensor<double>& values, double argument) {
          round(values, kHow[i % kHow.size()], argument, rng);
        });
    worst = std::max(worst, difference(graph, *off, expected));
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

std::optional<Distance> distance(const Graph& graph, const Numbers& inputs,
                                 const Numbers& outputs) {
  const auto expected = evaluated<double>(graph, inputs);
  if (!expected) return std::nullopt;
  Distance out;
  out.off = difference(graph, outputs, *expected);
  if (out.is_right()) return out;
  out.in_floats = lost_in_floats(graph, inputs, *expected);
  if (out.is_right()) return out;
  out.in_drawn_roundings = lost_in_drawn_roundings(graph, inputs, *expected);
  return out;
}

}  // namespace pet::gpu
