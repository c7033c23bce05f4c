// Split: the piece [begin, end) along an axis. An ONNX Split is several of these, one for each of
// its results.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_split(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("Split", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const auto a = static_cast<std::size_t>(*axis);
  const Dim begin = op.integer("begin");
  const Dim end = op.integer("end");
  if (begin < 0 || end < begin || end > in[0][a]) {
    return Error{fmt::format("Split: no piece [{},{}) along axis {} of {}", begin, end, a,
                             to_string(in[0]))};
  }
  Shape out = in[0];
  out[a] = end - begin;
  auto index = identity_index(out);
  index[a] += begin;
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

// Without sizes the pieces are equal; from operator set 18 on the last may be smaller.
Result<Ints> piece_sizes(const OnnxCall& call, Dim extent) {
  const Dim pieces = static_cast<Dim>(call.num_outputs);
  auto given = list_by_opset(call, "split", 1, 13);
  if (!given) return std::move(given).error();
  const auto number = integer_or(call, "num_outputs", pieces);
  if (!number) return number.error();
  if (call.attrs.has("num_outputs") && call.opset < 18)
    return Error{"Split: num_outputs before operator set 18", ErrorKind::Unsupported};
  if (given->has_value() && call.attrs.has("num_outputs"))
    return Error{"Split: both sizes and their number are given"};
  if (*number != pieces || pieces < 1)
    return Error{fmt::format("Split: {} results, num_outputs {}", pieces, *number)};
  if (given->has_value()) return **given;
  if (call.opset >= 18 && !call.attrs.has("num_outputs"))
    return Error{"Split: neither sizes nor their number are given", ErrorKind::Unsupported};
  const Dim size = floor_div(extent + pieces - 1, pieces);
  const Dim last = extent - size * (pieces - 1);
  if (last == 0 && extent > 0)  // ONNX Runtime refuses what the standard allows
    return Error{"Split: nothing is left for the last piece", ErrorKind::Unsupported};
  if (last < 0 || (call.opset < 18 && last != size)) {
    return Error{fmt::format("Split: {} does not divide into {} pieces", extent, pieces)};
  }
  Ints sizes(call.num_outputs, size);
  sizes.back() = last;
  return sizes;
}

Imported split_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis", "split", "num_outputs"}); !known)
    return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", 0);
  if (!given) return given.error();
  const auto axis = normal_axis("Split", *given, shape->rank());
  if (!axis) return axis.error();
  const Dim extent = (*shape)[static_cast<std::size_t>(*axis)];
  const auto sizes = piece_sizes(call, extent);
  if (!sizes) return sizes.error();
  if (sizes->size() != call.num_outputs) {
    return Error{fmt::format("Split: {} sizes for {} results", sizes->size(), call.num_outputs)};
  }
  std::vector<OnnxImported> pieces;
  Dim begin = 0;
  for (const Dim size : *sizes) {
    if (size < 0 || size > extent - begin)
      return Error{fmt::format("Split: the sizes do not add up to {}", extent)};
    auto op = make_op(split(), Attrs{{"axis", *axis}, {"begin", begin}, {"end", begin + size}});
    if (!op) return std::move(op).error();
    pieces.push_back({*std::move(op), {std::size_t{0}}});
    begin += size;
  }
  if (begin != extent) return Error{fmt::format("Split: the sizes do not add up to {}", extent)};
  return pieces;
}

// One piece is a slice, in the form that the operator set has for it.
Result<OnnxEmitted> split_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  const auto piece = make_op(slice(), Attrs{{"axes", Ints{op.integer("axis")}},
                                            {"starts", Ints{op.integer("begin")}},
                                            {"ends", Ints{op.integer("end")}}});
  if (!piece) return piece.error();
  return slice().to_onnx(*piece, in, opset);
}

}  // namespace

const OpDef& split() {
  static const OpDef def{.name = "Split",
                         .summary = "one contiguous piece along an axis",
                         .arity = {1, 1},
                         .attrs = {{"axis", std::int64_t{0}, AttrRole::Geometry, true},
                                   {"begin", std::int64_t{0}, AttrRole::Geometry, true},
                                   {"end", std::int64_t{0}, AttrRole::Geometry, true}},
                         .lower = lower_split,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = split_from_onnx,
                         .to_onnx = split_to_onnx};
  return def;
}

}  // namespace pet::ops
