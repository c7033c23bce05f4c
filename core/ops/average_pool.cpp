// AveragePool: the mean over a window. Whether padding counts decides the divisor, which is then
// part of the meaning.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {
namespace {

enum class Counted { Input, InputAndPadding };

// A table has an entry a position; no real pool over an axis this long has padding.
constexpr Dim kLongestTable = Dim{1} << 22;

// One in how many: 1 / number of taps that count at each output position, or one value where that
// is the same everywhere. Where a window sticks out beyond the padding (ceil_mode), what lies
// outside never counts.
Result<std::vector<Rational>> shares(const SlidingAxis& axis, Counted counted) {
  const Dim low = counted == Counted::InputAndPadding ? -axis.pad_begin : 0;
  const Dim high = axis.input + (counted == Counted::InputAndPadding ? axis.pad_end : 0);
  const auto taps = [&](Dim o) {
    const Dim first = o * axis.stride - axis.pad_begin;
    const auto below = [&](Dim border) {  // taps before `border`
      return std::clamp<Dim>(floor_div(border - first + axis.dilation - 1, axis.dilation), 0,
                             axis.kernel);
    };
    return below(high) - below(low);
  };
  // The first window loses most at the beginning, the last one at the end.
  const bool varies =
      axis.output > 1 && (taps(0) != axis.kernel || taps(axis.output - 1) != axis.kernel);
  if (varies && axis.output > kLongestTable) {
    return Error{fmt::format("AveragePool: {} padded windows along an axis", axis.output),
                 ErrorKind::Unsupported};
  }
  std::vector<Rational> out;
  for (Dim o = 0; o < (varies ? axis.output : 1); ++o) {
    const Dim number = taps(o);
    if (number == 0) {
      return Error{"AveragePool: the mean of a window that lies in the padding is no number",
                   ErrorKind::Unsupported};
    }
    out.push_back(ratio(1, number));
  }
  return out;
}

Result<Meaning> lower_average_pool(const Op& op, std::span<const Shape> in) {
  const auto rounding = op.integer("ceil_mode") != 0 ? Rounding::Ceil : Rounding::Floor;
  const auto axes = sliding_axes(op, in[0], op.ints("kernel_shape"), rounding);
  if (!axes) return axes.error();
  const auto counted =
      op.integer("count_include_pad") != 0 ? Counted::InputAndPadding : Counted::Input;
  Shape out = {in[0][0], in[0][1]};
  for (const auto& axis : *axes) out.push_back(axis.output);
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {}};
  Access data{0, {v(0), v(1)}};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const SlidingAxis& axis = (*axes)[i];
    term.reduce.push_back(axis.kernel);
    data.index.push_back(axis.read(v(2 + i), v(out.size() + i)));
    auto values = shares(axis, counted);
    if (!values) return std::move(values).error();
    if (values->size() == 1) {
      term.coef.scale *= values->front();
    } else {
      term.coef.tables.push_back({static_cast<int>(2 + i), *std::move(values)});
    }
  }
  term.factors = {std::move(data)};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

// Padding makes the divisor depend on where the window stands, strides leave a part of what they
// stride over.
bool average_pool_affine_in_sizes(const Op& op) {
  const Ints& pads = op.ints("pads");
  const Ints& strides = op.ints("strides");
  return std::all_of(pads.begin(), pads.end(), [](Dim pad) { return pad == 0; }) &&
         std::all_of(strides.begin(), strides.end(), [](Dim stride) { return stride == 1; });
}

constexpr int kDilatesSince = 19;

bool is_dilated(const Ints& dilations) {
  return std::any_of(dilations.begin(), dilations.end(), [](auto d) { return d != 1; });
}

Imported average_pool_from_onnx(const OnnxCall& call) {
  auto attrs = pool_attrs(call);
  if (!attrs) return std::move(attrs).error();
  if (call.opset < kDilatesSince && is_dilated(attrs->ints("dilations")))
    return Error{"AveragePool: dilations before operator set 19", ErrorKind::Unsupported};
  return one_result(average_pool(), *std::move(attrs), {std::size_t{0}});
}

Result<OnnxEmitted> average_pool_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  auto form = emit_pool(op, in[0], opset);
  if (!form || opset >= kDilatesSince) return form;
  if (is_dilated(op.ints("dilations")))
    return not_in_opset(op, "dilations", opset, "average pools have none before 19");
  form->attrs.erase("dilations");
  return form;
}

// The divisor counts what it reads as input. Explicit zeros are counted like padding only where
// padding counts, and what lies beyond the padding (ceil_mode) never does.
std::optional<Op> average_pool_without_padding(const Op& op, Padding padding) {
  const bool counts_all = op.integer("count_include_pad") != 0 && op.integer("ceil_mode") == 0;
  if (padding == Padding::Explicit && !counts_all) return std::nullopt;
  return with_zero_pads(op, padding);
}

}  // namespace

const OpDef& average_pool() {
  static const OpDef def{
      .name = "AveragePool",
      .summary = "mean over a sliding window, with or without the padding in the divisor",
      .arity = {1, 1},
      .attrs = {{"kernel_shape", Ints{}, AttrRole::Geometry, true},
                {"strides", Ints{}},
                {"dilations", Ints{}},
                {"pads", Ints{}},
                {"ceil_mode", std::int64_t{0}},
                {"count_include_pad", std::int64_t{0}}},
      .lower = lower_average_pool,
      .affine_in_sizes = average_pool_affine_in_sizes,
      .from_onnx = average_pool_from_onnx,
      .to_onnx = average_pool_to_onnx,
      .without_padding = average_pool_without_padding};
  return def;
}

}  // namespace pet::ops
