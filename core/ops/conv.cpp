// Conv: y[n,f,o] = Σ_{c,k} x[n, group(f)·C/g + c, o·stride + k·dilation − pad] · w[f,c,k]  (+
// b[f]), 1 to 3 spatial axes.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_conv(const Op& op, std::span<const Shape> in) {
  const Shape& x = in[0];
  const Shape& w = in[1];
  const Dim groups = op.integer("group");
  if (x.size() < 3 || w.size() != x.size()) {
    return Error{fmt::format("Conv: input {} and weight {} must both have rank 3 or more, the same",
                             to_string(x), to_string(w))};
  }
  if (x.size() > 5) {
    return Error{fmt::format("Conv: input {} has more than 3 spatial axes", to_string(x)),
                 ErrorKind::Unsupported};
  }
  if (groups < 1 || w[0] % groups != 0 || w[0] == 0 || w[1] > kMaxElements / groups ||
      x[1] != w[1] * groups) {
    return Error{fmt::format("Conv: input {} and weight {} do not fit {} groups", to_string(x),
                             to_string(w), groups)};
  }
  const std::span<const Dim> kernel(w.begin() + 2, w.end());
  if (!op.ints("kernel_shape").empty() &&
      op.ints("kernel_shape") != Ints(kernel.begin(), kernel.end())) {
    return Error{"Conv: kernel_shape contradicts the weight"};
  }
  if (in.size() == 3 && in[2] != Shape{w[0]}) {
    return Error{
        fmt::format("Conv: bias {} must have one entry an output channel", to_string(in[2]))};
  }
  const auto axes = sliding_axes(op, x, kernel, Rounding::Floor);
  if (!axes) return axes.error();

  Shape out = {x[0], w[0]};
  for (const auto& axis : *axes) out.push_back(axis.output);
  const int n = 0;
  const int f = 1;
  const int c = static_cast<int>(out.size());
  Term products{.coef = {}, .reduce = {w[1]}, .guards = {}, .factors = {}};
  Access data{0, {v(n), div(v(f), w[0] / groups) * w[1] + v(c)}};
  Access weight{1, {v(f), v(c)}};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const int o = 2 + static_cast<int>(i);
    const int k = c + 1 + static_cast<int>(i);
    products.reduce.push_back(kernel[i]);
    data.index.push_back((*axes)[i].read(v(o), v(k)));
    weight.index.push_back(v(k));
  }
  products.factors = {std::move(data), std::move(weight)};
  IndexedSum sum{std::move(out), {std::move(products)}};
  if (in.size() == 3)
    sum.terms.push_back({.coef = {}, .reduce = {}, .guards = {}, .factors = {{2, {v(f)}}}});
  return Meaning{{}, std::move(sum)};
}

// Strides leave a part of what they stride over, groups a part of the channels.
bool conv_affine_in_sizes(const Op& op) {
  const Ints& strides = op.ints("strides");
  return op.integer("group") == 1 &&
         std::all_of(strides.begin(), strides.end(), [](Dim stride) { return stride == 1; });
}

Imported conv_from_onnx(const OnnxCall& call) {
  const auto w = operand_shape(call, 1);
  if (!w) return w.error();
  Ints window;
  for (std::size_t axis = 2; axis < w->rank(); ++axis) window.push_back((*w)[axis]);
  if (window.empty()) return Error{"Conv: the weight has no spatial axis", ErrorKind::Unsupported};
  auto attrs = explicit_sliding_attrs(call, window);
  if (!attrs) return std::move(attrs).error();
  attrs->erase("kernel_shape");
  if (call.attrs.has("kernel_shape")) attrs->set("kernel_shape", *call.attrs.find("kernel_shape"));
  std::vector<OnnxSource> operands = {std::size_t{0}, std::size_t{1}};
  if (call.has(2)) operands.emplace_back(std::size_t{2});
  return one_result(conv(), *std::move(attrs), std::move(operands));
}

// Every channel for itself, one tap.
std::optional<StandIn> conv_stand_in(const Shape& value) {
  if (value.size() < 3 || value.size() > 5) return std::nullopt;
  auto op = make_op(conv(), Attrs{{"group", value[1]}});
  Shape weight(value.size(), 1);
  weight[0] = value[1];
  if (!op) return std::nullopt;
  return StandIn{*std::move(op), std::move(weight)};
}

}  // namespace

const OpDef& conv() {
  static const OpDef def{
      .name = "Conv",
      .summary = "convolution over one to three spatial axes, with groups and an optional bias",
      .arity = {2, 3},
      .attrs = {{"group", std::int64_t{1}},
                {"kernel_shape", Ints{}},
                {"strides", Ints{}},
                {"dilations", Ints{}},
                {"pads", Ints{}}},
      .lower = lower_conv,
      .affine_in_sizes = conv_affine_in_sizes,
      .from_onnx = conv_from_onnx,
      .without_padding = with_zero_pads,
      .stand_in = conv_stand_in};
  return def;
}

}  // namespace pet::ops
