// AveragePool: the mean over a window. Whether padding counts decides the divisor, which is then part of the meaning.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {
namespace {

enum class Counted { Input, InputAndPadding };

// How many taps count at each output position. Where a window sticks out beyond the padding (ceil_mode), what lies
// outside never counts.
std::vector<Rational> shares(const SlidingAxis& axis, Counted counted) {
  const Dim low = counted == Counted::InputAndPadding ? -axis.pad_begin : 0;
  const Dim high = axis.input + (counted == Counted::InputAndPadding ? axis.pad_end : 0);
  std::vector<Rational> out;
  for (Dim o = 0; o < axis.output; ++o) {
    Dim taps = 0;
    for (Dim k = 0; k < axis.kernel; ++k) {
      const Dim at = o * axis.stride + k * axis.dilation - axis.pad_begin;
      if (at >= low && at < high) ++taps;
    }
    out.push_back(taps == 0 ? Rational(0) : ratio(1, taps));
  }
  return out;
}

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  const auto rounding = op.integer("ceil_mode") != 0 ? Rounding::Ceil : Rounding::Floor;
  const auto axes = sliding_axes(op, in[0], op.ints("kernel_shape"), rounding);
  if (!axes) return axes.error();
  const auto counted = op.integer("count_include_pad") != 0 ? Counted::InputAndPadding : Counted::Input;
  Shape out = {in[0][0], in[0][1]};
  for (const auto& axis : *axes) {
    if (axis.output > kMaxElements || axis.kernel > (Dim{1} << 24) || axis.output * axis.kernel > (Dim{1} << 28)) {
      return Error{fmt::format("AveragePool: a window of {} over {} positions is too large", axis.kernel, axis.output)};
    }
    out.push_back(axis.output);
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {}};
  Access data{0, {v(0), v(1)}};
  const int taps = static_cast<int>(out.size());
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const int o = 2 + static_cast<int>(i);
    const SlidingAxis& axis = (*axes)[i];
    term.reduce.push_back(axis.kernel);
    data.index.push_back(axis.read(v(o), v(taps + static_cast<int>(i))));
    auto values = shares(axis, counted);
    const bool constant = std::all_of(values.begin(), values.end(), [&](const Rational& x) { return x == values[0]; });
    if (constant && !values.empty()) {
      term.coef.scale *= values[0];
    } else {
      term.coef.tables.push_back({o, std::move(values)});
    }
  }
  term.factors = {std::move(data)};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Result<std::vector<OnnxImported>> from_onnx(const OnnxCall& call) {
  const auto* kernel = call.attrs.find("kernel_shape");
  if (kernel == nullptr || !std::holds_alternative<Ints>(*kernel)) return Error{"AveragePool: no kernel_shape"};
  auto attrs = explicit_sliding_attrs(call, std::get<Ints>(*kernel));
  if (!attrs) return std::move(attrs).error();
  auto op = make_op(average_pool(), *std::move(attrs));
  if (!op) return std::move(op).error();
  return std::vector<OnnxImported>{{*std::move(op), {std::size_t{0}}}};
}

OnnxEmitted to_onnx(const Op& op, std::span<const Shape>, int opset) {
  Attrs attrs = op.attrs;
  const Ints& dilations = op.ints("dilations");
  // Operator sets before 19 know no dilated average pool; the default need not be written.
  if (opset < 19 && std::all_of(dilations.begin(), dilations.end(), [](auto d) { return d == 1; })) attrs.erase("dilations");
  return {"AveragePool", std::move(attrs), {std::size_t{0}}};
}

}  // namespace

const OpDef& average_pool() {
  static const OpDef def{.name = "AveragePool",
                         .summary = "mean over a sliding window, with or without the padding in the divisor",
                         .arity = {1, 1},
                         .attrs = {{"kernel_shape", Ints{}, AttrRole::Geometry, true},
                                   {"strides", Ints{}},
                                   {"dilations", Ints{}},
                                   {"pads", Ints{}},
                                   {"ceil_mode", std::int64_t{0}},
                                   {"count_include_pad", std::int64_t{0}}},
                         .lower = lower,
                         .from_onnx = from_onnx,
                         .to_onnx = to_onnx,
                         .without_padding = with_zero_pads};
  return def;
}

}  // namespace pet::ops
