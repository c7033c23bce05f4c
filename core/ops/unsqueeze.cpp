// Unsqueeze: axes of extent 1 put in, numbered as in the result.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

constexpr int kUnsqueezeAxesAreAnOperandSince = 13;

Result<Meaning> lower_unsqueeze(const Op& op, std::span<const Shape> in) {
  const std::size_t rank = in[0].size() + op.ints("axes").size();
  if (rank > kMaxRank) return Error{fmt::format("Unsqueeze: rank {}", rank)};
  const auto axes = normal_axes("Unsqueeze", op.ints("axes"), rank);
  if (!axes) return axes.error();
  Shape out;
  std::vector<IndexExpr> index;
  for (std::size_t i = 0; i < rank; ++i) {
    if (std::binary_search(axes->begin(), axes->end(), static_cast<Dim>(i))) {
      out.push_back(1);
    } else {
      out.push_back(in[0][index.size()]);
      index.push_back(v(i));
    }
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Imported unsqueeze_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axes"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = list_by_opset(call, "axes", 1, kUnsqueezeAxesAreAnOperandSince);
  if (!given) return given.error();
  if (!given->has_value()) return Error{"Unsqueeze: axes are missing"};
  auto axes = normal_axes("Unsqueeze", **given, shape->rank() + (*given)->size());
  if (!axes) return std::move(axes).error();
  return one_result(unsqueeze(), Attrs{{"axes", *std::move(axes)}}, {std::size_t{0}});
}

Result<OnnxEmitted> unsqueeze_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return emit_with_axes(op, opset, kUnsqueezeAxesAreAnOperandSince);
}

}  // namespace

const OpDef& unsqueeze() {
  static const OpDef def{.name = "Unsqueeze",
                         .summary = "axes of extent 1 put in",
                         .arity = {1, 1},
                         .attrs = {{"axes", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_unsqueeze,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = unsqueeze_from_onnx,
                         .to_onnx = unsqueeze_to_onnx};
  return def;
}

}  // namespace pet::ops
