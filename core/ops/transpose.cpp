// Transpose: axis i of the result is axis perm[i] of the operand.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_transpose(const Op& op, std::span<const Shape> in) {
  const Ints& perm = op.ints("perm");
  const auto sorted = normal_axes("Transpose", perm, in[0].size());
  if (!sorted) return sorted.error();
  if (perm.size() != in[0].size()) {
    return Error{
        fmt::format("Transpose: perm has {} entries for rank {}", perm.size(), in[0].size())};
  }
  Shape out;
  std::vector<IndexExpr> index(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) {
    const auto from = static_cast<std::size_t>(*normal_axis("Transpose", perm[i], perm.size()));
    out.push_back(in[0][from]);
    index[from] = v(i);
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Imported transpose_from_onnx(const OnnxCall& call) {
  if (const AttrValue* perm = call.attrs.find("perm")) {
    const auto* order = std::get_if<Ints>(perm);
    if (order != nullptr && std::any_of(order->begin(), order->end(), [](Dim a) { return a < 0; }))
      return Error{"Transpose: perm counts from the end", ErrorKind::Unsupported};
    return one_result(transpose(), call.attrs, {std::size_t{0}});
  }
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  Ints reversed;
  for (std::size_t i = shape->rank(); i-- > 0;) reversed.push_back(static_cast<Dim>(i));
  Attrs attrs = call.attrs;
  attrs.set("perm", std::move(reversed));
  return one_result(transpose(), std::move(attrs), {std::size_t{0}});
}

}  // namespace

const OpDef& transpose() {
  static const OpDef def{.name = "Transpose",
                         .summary = "axes in another order",
                         .arity = {1, 1},
                         .attrs = {{"perm", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_transpose,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = transpose_from_onnx};
  return def;
}

}  // namespace pet::ops
