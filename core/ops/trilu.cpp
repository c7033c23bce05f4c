// Trilu: the elements of matrices on one side of a diagonal, that among them; 0 on the other.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_trilu(const Op& op, std::span<const Shape> in) {
  const std::size_t rank = in[0].size();
  const Dim k = op.integer("k");
  if (rank < 2) return Error{fmt::format("Trilu: {} holds no matrix", to_string(in[0]))};
  if (k < -kMaxElements || k > kMaxElements)
    return Error{fmt::format("Trilu: there is no diagonal {}", k), ErrorKind::Unsupported};
  const IndexExpr diagonal = v(rank - 1) - v(rank - 2);
  const Guard side = op.integer("upper") != 0 ? Guard{diagonal, k, in[0][rank - 1]}
                                              : Guard{diagonal, -in[0][rank - 2], k + 1};
  Term term{.coef = {}, .reduce = {}, .guards = {side}, .factors = {{0, identity_index(in[0])}}};
  return Meaning{{}, {in[0], {std::move(term)}}};
}

Imported trilu_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"upper"}); !known) return std::move(known).error();
  const auto upper = flag_or(call, "upper", true);
  if (!upper) return upper.error();
  Dim k = 0;
  if (call.has(1)) {
    const auto given = constant_number(call, 1, "k");
    if (!given) return given.error();
    k = *given;
  }
  return one_result(trilu(), Attrs{{"k", k}, {"upper", std::int64_t{*upper ? 1 : 0}}},
                    {std::size_t{0}});
}

Result<OnnxEmitted> trilu_to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{"Trilu",
                     Attrs{{"upper", op.integer("upper")}},
                     {std::size_t{0}, IntTensor{{}, {op.integer("k")}}}};
}

}  // namespace

const OpDef& trilu() {
  static const OpDef def{.name = "Trilu",
                         .summary = "one triangle of matrices, 0 elsewhere",
                         .arity = {1, 1},
                         .attrs = {{"k", std::int64_t{0}}, {"upper", std::int64_t{1}}},
                         .since = 14,
                         .lower = lower_trilu,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = trilu_from_onnx,
                         .to_onnx = trilu_to_onnx};
  return def;
}

}  // namespace pet::ops
