// MaxPool: the largest element of a window. Padding is a hole in the window, not a number.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/extreme.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_max_pool(const Op& op, std::span<const Shape> in) {
  const auto rounding = op.integer("ceil_mode") != 0 ? Rounding::Ceil : Rounding::Floor;
  const auto axes = sliding_axes(op, in[0], op.ints("kernel_shape"), rounding);
  if (!axes) return axes.error();
  Shape out = {in[0][0], in[0][1]};
  for (const auto& axis : *axes) out.push_back(axis.output);
  Window window{
      .extent = {}, .guards = {}, .read = {0, {v(0), v(1)}}, .symmetry = Symmetry::Multiset};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    window.extent.push_back((*axes)[i].kernel);
    window.read.index.push_back((*axes)[i].read(v(2 + i), v(out.size() + i)));
  }
  return Meaning{{{&largest_function(), {}, out, {}, std::move(window)}}, read_in_place(1, out)};
}

Imported max_pool_from_onnx(const OnnxCall& call) {
  const auto storage_order = integer_or(call, "storage_order", 0);
  if (!storage_order) return storage_order.error();
  if (call.num_outputs > 1) {  // whose order is what storage_order says
    return Error{"MaxPool: the result Indices is not interpreted", ErrorKind::Unsupported};
  }
  auto attrs = pool_attrs(call);
  if (!attrs) return std::move(attrs).error();
  attrs->erase("storage_order");
  return one_result(max_pool(), *std::move(attrs), {std::size_t{0}});
}

Result<OnnxEmitted> max_pool_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  auto form = emit_pool(op, in[0], opset);
  constexpr int kDilatesSince = 10;
  if (!form || opset >= kDilatesSince) return form;
  if (std::ranges::any_of(op.ints("dilations"), [](Dim d) { return d != 1; }))
    return not_in_opset(op, "dilations", opset, "max pools have none before 10");
  form->attrs.erase("dilations");
  return form;
}

}  // namespace

const OpDef& max_pool() {
  static const OpDef def{.name = "MaxPool",
                         .summary = "largest element of a sliding window",
                         .arity = {1, 1},
                         .attrs = {{"kernel_shape", Ints{}, AttrRole::Geometry, true},
                                   {"strides", Ints{}},
                                   {"dilations", Ints{}},
                                   {"pads", Ints{}},
                                   {"ceil_mode", std::int64_t{0}}},
                         .lower = lower_max_pool,
                         .from_onnx = max_pool_from_onnx,
                         .to_onnx = max_pool_to_onnx};
  return def;
}

}  // namespace pet::ops
