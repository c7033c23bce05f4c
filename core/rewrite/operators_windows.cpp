// Operators of rules that slide a window: convolutions and pools.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ops/ops.h"
#include "core/rewrite/operator_parts.h"
#include "core/util/printable.h"

namespace pet::rules {
namespace {

// A convolution that says all of its windows: strides, pads and dilations along its axes.
bool has_geometry(const RuleOp& op) { return op.attrs.contains("strides"); }

bool is_same(const RuleOp& op) { return !has_geometry(op) && op.text("padding", "SAME") == "SAME"; }

Ints strides_of(const RuleOp& op) {
  if (has_geometry(op)) return op.integers("strides");
  return {op.integer("stride_h", 1), op.integer("stride_w", 1)};
}

// The same where the sizes are given: all of that follows.
Size slid_over(Draft& draft, const RuleOp& op, const Size& data, const Size& window, Dim stride) {
  if (!data.is_number() || !window.is_number()) {
    draft.give_up();
    return data;
  }
  if (is_same(op)) return (data.constant() + stride - 1) / stride;
  draft.sizes.at_least(data - window, 0);
  return std::max<Dim>(data.constant() - window.constant(), 0) / stride + 1;
}

// Results along an axis that a window slides along.
Size slid(Draft& draft, const RuleOp& op, const Size& data, const Size& window, Dim stride) {
  // What a rule forgets may show only where a window of its own size meets no border.
  const Dim beyond_one = std::max<Dim>(window.constant() - 1, 0);
  draft.sizes.widen(data, beyond_one);
  if (is_same(op) && stride == 1) return data;
  if (!is_same(op) && stride == 1) {
    const Size out = data - window + 1;
    draft.sizes.at_least(out, 1);
    return out;
  }
  if (draft.is_given()) return slid_over(draft, op, data, window, stride);
  Slide slide{data, is_same(op) ? Size(0) : window, stride, is_same(op), 0};
  for (const Slide& other : draft.slides) {
    slide.out = other.out;
    if (slide == other) return slide.out;
  }
  const Size out = draft.sizes.unknown(1, 4 + (beyond_one + stride - 1) / stride);
  slide.out = out;
  draft.slides.push_back(slide);
  draft.stride_over(data, out, stride);
  const Dim slack = draft.rng->between(0, stride - 1);
  draft.chose = true;
  draft.drew = true;
  if (is_same(op)) {
    draft.sizes.equal(data, out * stride - slack);
  } else {
    draft.sizes.equal(data, (out - 1) * stride + window + slack);
  }
  return out;
}

// One entry of a list of each: as many strides as axes, pads in front and behind, and no nonsense.
Status check_geometry(const RuleOp& op) {
  constexpr Dim kMost = 64;
  constexpr std::size_t kMostAxes = 3;
  const Ints strides = op.integers("strides");
  const Ints dilations = op.integers("dilations");
  const Ints zeros = op.integers("pads");
  const auto is_step = [](Dim step) { return step >= 1 && step <= kMost; };
  if (strides.empty() || strides.size() > kMostAxes || dilations.size() != strides.size() ||
      zeros.size() != 2 * strides.size() || !std::ranges::all_of(strides, is_step) ||
      !std::ranges::all_of(dilations, is_step) ||
      std::ranges::any_of(zeros, [](Dim zero) { return zero > kMost; }))
    return means_nothing(op, "strides, pads and dilations that are none");
  for (const char* attr : {"stride_h", "stride_w", "padding"})
    if (op.attrs.contains(attr)) return means_nothing(op, "its windows are told in two ways");
  return Done{};
}

Status check_window(const RuleOp& op) {
  if (has_geometry(op)) return check_geometry(op);
  const std::string padding = op.text("padding", "SAME");
  if (padding != "SAME" && padding != "VALID")
    return means_nothing(op, fmt::format("no padding is called \"{}\"", printable(padding)));
  constexpr Dim kLargestStride = 16;
  for (const char* attr : {"stride_h", "stride_w"}) {
    const Dim stride = op.integer(attr, 1);
    if (stride < 1 || stride > kLargestStride)
      return means_nothing(op, fmt::format("a {} of {}", attr, stride));
  }
  return Done{};
}

// In how many groups the next convolution reads its data.
Dim drawn_groups(Draft& draft) {
  // One group is what rules are written for; more of them are what they forget.
  constexpr std::array<Dim, 8> kGroups = {1, 1, 1, 1, 2, 2, 3, 4};
  const std::size_t number = draft.convolutions.size();
  draft.chose = true;
  if (number < draft.groups.size()) return draft.groups[number];
  draft.drew = true;
  const Dim groups = kGroups[draft.rng->below(kGroups.size())];
  // Of what is merged several have to be left.
  if (draft.merged.empty() || draft.rng->below(2) != 0) return groups;
  return groups * draft.merged[draft.rng->below(draft.merged.size())];
}

// The same at given sizes. What a rule makes itself fits data of one group.
Dim groups_of(Draft& draft, const Size& channels, const Size& of_weight) {
  if (!channels.is_number() || !of_weight.is_number()) return 1;
  if (of_weight.constant() < 1 || channels.constant() % of_weight.constant() != 0) {
    draft.give_up();
    return 1;
  }
  return std::max<Dim>(channels.constant() / of_weight.constant(), 1);
}

// How many windows there are along each axis that they slide along.
std::vector<Size> windows_of(Draft& draft, const RuleOp& op, const Value& x, const Value& w) {
  const Ints strides = strides_of(op);
  const Ints zeros = op.integers("pads");
  const Ints dilations = op.integers("dilations");
  std::vector<Size> out;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    Size data = x.shape[i + 2];
    Size window = w.shape[i + 2];
    if (has_geometry(op)) {
      data += zeros[i] + zeros[i + strides.size()];
      window = (window - 1) * dilations[i] + 1;
    }
    out.push_back(slid(draft, op, data, window, strides[i]));
  }
  return out;
}

Values convolution_shape(Draft& draft, const Operands& at) {
  const Value& x = at.values[0];
  const Value& w = at.values[1];
  if (auto window = check_window(at.op); !window) return std::move(window).error();
  const std::size_t rank = strides_of(at.op).size() + 2;
  if (x.shape.size() != rank || w.shape.size() != rank)
    return means_nothing(at.op, fmt::format("ranks other than {}", rank));
  const Dim groups =
      draft.is_given() ? groups_of(draft, x.shape[1], w.shape[1]) : drawn_groups(draft);
  draft.convolutions.push_back({&at.op, x, w, groups});
  draft.sizes.equal(x.shape[1], w.shape[1] * groups);
  draft.sizes.equal(w.shape[0], draft.sizes.unknown(1, 4) * groups);
  Value out;
  out.shape = windows_of(draft, at.op, x, w);
  out.shape.insert(out.shape.begin(), {x.shape[0], w.shape[0]});
  if (x.cuts.contains(0)) out.cuts[0] = x.cuts.at(0);
  if (w.cuts.contains(0)) out.cuts[1] = w.cuts.at(0);
  return one(std::move(out));
}

// What SAME pads, more of it at the end: low ends, then high ones.
Ints pads(const RuleOp& op, const Shape& data, const Ints& window, const Ints& strides) {
  if (has_geometry(op)) return op.integers("pads");
  Ints low;
  Ints high;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const Dim size = data[data.size() - window.size() + i];
    const Dim results = (size + strides[i] - 1) / strides[i];
    const Dim all =
        is_same(op) ? std::max<Dim>((results - 1) * strides[i] + window[i] - size, 0) : 0;
    low.push_back(all / 2);
    high.push_back(all - all / 2);
  }
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

Nodes build_convolution(const Building& at, const Operands& operands,
                        std::span<const NodeId> nodes) {
  const Shape x = *at.builder.type(nodes[0]).shape;
  const Shape w = *at.builder.type(nodes[1]).shape;
  if (w[1] < 1 || x[1] % w[1] != 0) return means_nothing(operands.op, "channels that do not fit");
  const Ints strides = strides_of(operands.op);
  Attrs attrs{{"group", x[1] / w[1]},
              {"strides", strides},
              {"pads", pads(operands.op, x, {w.begin() + 2, w.end()}, strides)}};
  if (has_geometry(operands.op)) attrs.set("dilations", operands.op.integers("dilations"));
  return one(activated(at, operands.op,
                       at.builder.add(ops::conv(), std::move(attrs), {nodes[0], nodes[1]})));
}

// Pools.

Values pool_shape(Draft& draft, const Operands& at) {
  const Value& x = at.values[0];
  if (x.shape.size() != 4) return means_nothing(at.op, "a rank other than 4");
  if (auto window = check_window(at.op); !window) return std::move(window).error();
  const Dim h = at.op.integer("kernel_h", 1);
  const Dim w = at.op.integer("kernel_w", 1);
  constexpr Dim kLargestWindow = 16;
  if (h < 1 || w < 1 || h > kLargestWindow || w > kLargestWindow)
    return means_nothing(at.op, "a window of no sensible size");
  Value out = x;
  out.shape[2] = slid(draft, at.op, x.shape[2], h, at.op.integer("stride_h", 1));
  out.shape[3] = slid(draft, at.op, x.shape[3], w, at.op.integer("stride_w", 1));
  out.cuts.erase(2);
  out.cuts.erase(3);
  return one(std::move(out));
}

template <const OpDef& (*op)()>
Nodes build_pool(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  const Ints window{operands.op.integer("kernel_h", 1), operands.op.integer("kernel_w", 1)};
  const Ints strides = strides_of(operands.op);
  Attrs attrs{{"kernel_shape", window},
              {"strides", strides},
              {"pads", pads(operands.op, *at.builder.type(nodes[0]).shape, window, strides)}};
  if (&op() == &ops::average_pool()) attrs.set("count_include_pad", std::int64_t{1});
  return one(activated(at, operands.op, at.builder.add(op(), std::move(attrs), {nodes[0]})));
}

// A convolution's kernel is its weight's: TASO's generator names its size, its loader does not
// look.
constexpr std::array kOfWindow = {RuleAttribute{"kernel_h"},
                                  RuleAttribute{"kernel_w"},
                                  RuleAttribute{"stride_h"},
                                  RuleAttribute{"stride_w"},
                                  RuleAttribute{"padding", RuleAttribute::Holds::Text},
                                  kActivation};

constexpr std::array kOfConvolution = {RuleAttribute{"kernel_h"},
                                       RuleAttribute{"kernel_w"},
                                       RuleAttribute{"stride_h"},
                                       RuleAttribute{"stride_w"},
                                       RuleAttribute{"padding", RuleAttribute::Holds::Text},
                                       RuleAttribute{"strides", RuleAttribute::Holds::Numbers},
                                       RuleAttribute{"pads", RuleAttribute::Holds::Numbers},
                                       RuleAttribute{"dilations", RuleAttribute::Holds::Numbers},
                                       kActivation};

constexpr std::array kWindows = {
    RuleOperator{"conv2d", 2, 2, kOfConvolution, Leading::No, convolution_shape, build_convolution},
    RuleOperator{"poolavg", 1, 1, kOfWindow, Leading::No, pool_shape,
                 build_pool<ops::average_pool>},
    RuleOperator{"poolmax", 1, 1, kOfWindow, Leading::No, pool_shape, build_pool<ops::max_pool>},
};

}  // namespace

void Draft::stride_over(const Size& data, const Size& out, Dim stride) {
  constexpr Dim kMost = 32;
  for (const auto& [number, factor] : data.parts()) {
    const auto counted = steps.find(number);
    const auto from =
        counted == steps.end() ? std::map<std::size_t, Dim>{{number, 1}} : counted->second;
    for (const auto& [root, step] : from) {
      const Dim further = std::min(step * stride, kMost);
      Dim& period = periods[root];
      period = std::max(period, further);
      for (const auto& [unknown, one] : out.parts()) steps[unknown][root] = further;
    }
  }
}

std::span<const RuleOperator> window_operators() { return kWindows; }

std::vector<Dim> zeros_before(const Grouped& convolution, const std::vector<Dim>& values) {
  const Shape kernel = known_shape(convolution.weight, values);
  Ints out = pads(*convolution.op, known_shape(convolution.data, values),
                  {kernel.begin() + 2, kernel.end()}, strides_of(*convolution.op));
  out.resize(kernel.size() - 2);
  return out;
}

}  // namespace pet::rules
