// Gather: the slices at constant positions along one axis, in that order.
//
// Our positions are literal: row-major over `shape`, never counted from the end.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pieces.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_gather(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("Gather", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const auto a = static_cast<std::size_t>(*axis);
  const Shape& shape = op.ints("shape");
  const Ints& indices = op.ints("indices");
  if (checked_count(shape) != static_cast<Dim>(indices.size())) {
    return Error{fmt::format("Gather: {} indices for shape {}", indices.size(), to_string(shape))};
  }
  for (const Dim i : indices) {
    if (i < 0 || i >= in[0][a])
      return Error{fmt::format("Gather: no element {} of {}", i, in[0][a])};
  }
  Shape out(in[0].begin(), in[0].begin() + *axis);
  out.insert(out.end(), shape.begin(), shape.end());
  out.insert(out.end(), in[0].begin() + *axis + 1, in[0].end());
  auto gathered = pieces_of("Gather", indices, shape, a);
  if (!gathered) return std::move(gathered).error();
  std::vector<std::vector<Piece>> axes;
  for (std::size_t i = 0; i < a; ++i) axes.push_back({{{}, v(i)}});
  axes.push_back(*std::move(gathered));
  for (std::size_t i = a + 1; i < in[0].size(); ++i)
    axes.push_back({{{}, v(i + shape.size() - 1)}});
  auto terms = sum_of_pieces("Gather", axes);
  if (!terms) return std::move(terms).error();
  return Meaning{{}, {std::move(out), *std::move(terms)}};
}

Imported gather_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis"}); !known) return std::move(known).error();
  const auto data = operand_shape(call, 0);
  if (!data) return data.error();
  const auto shape = operand_shape(call, 1);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", 0);
  if (!given) return given.error();
  const auto axis = normal_axis("Gather", *given, data->rank());
  if (!axis) return axis.error();
  if (!call.operands[1].ints)
    return Error{"Gather: indices that are no small constant are not interpreted",
                 ErrorKind::Unsupported};
  const Dim extent = (*data)[static_cast<std::size_t>(*axis)];
  Ints indices = *call.operands[1].ints;
  for (Dim& i : indices) {
    // A node that fails whenever it runs: it may still stand where no output needs it.
    if (i < -extent || i >= extent)
      return Error{fmt::format("Gather: no element {} of {}", i, extent), ErrorKind::Unsupported};
    if (i < 0) i += extent;
  }
  return one_result(
      gather(), Attrs{{"axis", *axis}, {"indices", std::move(indices)}, {"shape", shape->all()}},
      {std::size_t{0}});
}

Result<OnnxEmitted> gather_to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{"Gather",
                     Attrs{{"axis", op.integer("axis")}},
                     {std::size_t{0}, IntTensor{op.ints("shape"), op.ints("indices")}}};
}

std::optional<Op> rearranged_gather(const Op& op, std::span<const std::size_t> order) {
  if (op.ints("shape").size() != 1) return std::nullopt;
  Op out = op;
  out.attrs.set("axis", new_place(op.integer("axis"), order));
  return out;
}

}  // namespace

const OpDef& gather() {
  static const OpDef def{.name = "Gather",
                         .summary = "slices at constant positions along an axis",
                         .arity = {1, 1},
                         .attrs = {{"axis", std::int64_t{0}},
                                   {"indices", Ints{}, AttrRole::Geometry, true},
                                   {"shape", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_gather,
                         .from_onnx = gather_from_onnx,
                         .to_onnx = gather_to_onnx,
                         .rearranged = rearranged_gather};
  return def;
}

}  // namespace pet::ops
