// Squeeze: axes of extent 1 left out.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

constexpr int kSqueezeAxesAreAnOperandSince = 13;

Result<Meaning> lower_squeeze(const Op& op, std::span<const Shape> in) {
  const auto axes = normal_axes("Squeeze", op.ints("axes"), in[0].size());
  if (!axes) return axes.error();
  Shape out;
  std::vector<IndexExpr> index;
  for (std::size_t i = 0; i < in[0].size(); ++i) {
    if (!std::binary_search(axes->begin(), axes->end(), static_cast<Dim>(i))) {
      index.push_back(v(out.size()));
      out.push_back(in[0][i]);
    } else if (in[0][i] == 1) {
      index.emplace_back(0);
    } else {
      return Error{fmt::format("Squeeze: axis {} of {} is not of extent 1", i, to_string(in[0]))};
    }
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Imported squeeze_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axes"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = list_by_opset(call, "axes", 1, kSqueezeAxesAreAnOperandSince);
  if (!given) return given.error();
  // ONNX Runtime takes it for none given, the standard for no axis.
  if (*given && (**given).empty())
    return Error{"Squeeze: an empty list of axes is read in two ways", ErrorKind::Unsupported};
  Ints axes = given->value_or(Ints{});
  if (axes.empty()) {  // every axis of extent 1
    for (std::size_t i = 0; i < shape->rank(); ++i) {
      if ((*shape)[i] == 1) axes.push_back(static_cast<Dim>(i));
    }
  }
  auto normal = normal_axes("Squeeze", std::move(axes), shape->rank());
  if (!normal) return std::move(normal).error();
  return one_result(squeeze(), Attrs{{"axes", *std::move(normal)}}, {std::size_t{0}});
}

Result<OnnxEmitted> squeeze_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return emit_with_axes(op, opset, kSqueezeAxesAreAnOperandSince);
}

}  // namespace

const OpDef& squeeze() {
  static const OpDef def{.name = "Squeeze",
                         .summary = "axes of extent 1 left out",
                         .arity = {1, 1},
                         .attrs = {{"axes", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_squeeze,
                         .affine_in_sizes = with_any_attributes,
                         .reads_by_formula = true,
                         .from_onnx = squeeze_from_onnx,
                         .to_onnx = squeeze_to_onnx};
  return def;
}

}  // namespace pet::ops
