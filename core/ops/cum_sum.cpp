// CumSum: of each element and those before it along an axis the sum; `reverse`: those behind it,
// `exclusive`: without itself.
#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_cum_sum(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("CumSum", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const auto a = static_cast<std::size_t>(*axis);
  const IndexExpr other = v(in[0].size());
  const IndexExpr distance = op.integer("reverse") != 0 ? other - v(a) : v(a) - other;
  const Dim nearest = op.integer("exclusive") != 0 ? 1 : 0;
  Term term{.coef = {},
            .reduce = {in[0][a]},
            .guards = {{distance, nearest, in[0][a]}},
            .factors = {{0, identity_index(in[0])}}};
  term.factors[0].index[a] = other;
  return Meaning{{}, {in[0], {std::move(term)}}};
}

Imported cum_sum_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"exclusive", "reverse"}); !known)
    return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = constant_number(call, 1, "axis");
  if (!given) return given.error();
  const auto axis = normal_axis("CumSum", *given, shape->rank());
  if (!axis) return axis.error();
  const auto exclusive = flag_or(call, "exclusive", false);
  if (!exclusive) return exclusive.error();
  const auto reverse = flag_or(call, "reverse", false);
  if (!reverse) return reverse.error();
  return one_result(cum_sum(),
                    Attrs{{"axis", *axis},
                          {"exclusive", std::int64_t{*exclusive ? 1 : 0}},
                          {"reverse", std::int64_t{*reverse ? 1 : 0}}},
                    {std::size_t{0}});
}

Result<OnnxEmitted> cum_sum_to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{
      "CumSum",
      Attrs{{"exclusive", op.integer("exclusive")}, {"reverse", op.integer("reverse")}},
      {std::size_t{0}, IntTensor{{}, {op.integer("axis")}}}};
}

std::optional<Op> rearranged_cum_sum(const Op& op, std::span<const std::size_t> order) {
  Op out = op;
  out.attrs.set("axis", new_place(op.integer("axis"), order));
  return out;
}

}  // namespace

const OpDef& cum_sum() {
  static const OpDef def{.name = "CumSum",
                         .summary = "sums of the elements up to each one along an axis",
                         .arity = {1, 1},
                         .attrs = {{"axis", std::int64_t{0}, AttrRole::Geometry, true},
                                   {"exclusive", std::int64_t{0}},
                                   {"reverse", std::int64_t{0}}},
                         .since = 11,
                         .lower = lower_cum_sum,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = cum_sum_from_onnx,
                         .to_onnx = cum_sum_to_onnx,
                         .rearranged = rearranged_cum_sum};
  return def;
}

}  // namespace pet::ops
