// Reshape: the same elements in row-major order under another shape.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/digits.h"

namespace pet::ops {
namespace {

// ONNX: 0 copies the extent of the input, one -1 is inferred.
Result<Shape> resolve(const Ints& wanted, const Shape& from, bool zero_is_zero) {
  Shape to = wanted;
  Dim known = 1;
  Dim unknown_at = -1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && !zero_is_zero) {
      if (i >= from.size()) return Error{"Reshape: a 0 beyond the input's rank"};
      to[i] = from[i];
    }
    if (to[i] == -1) {
      if (unknown_at >= 0) return Error{"Reshape: more than one -1"};
      unknown_at = static_cast<Dim>(i);
    } else if (to[i] < 0 || to[i] > kMaxElements || (to[i] > 0 && known > kMaxElements / to[i])) {
      return Error{fmt::format("Reshape: extent {}", to[i])};
    } else {
      known *= to[i];
    }
  }
  if (unknown_at >= 0) {
    if (known == 0 || count(from) % known != 0) {
      return Error{fmt::format("Reshape: {} does not divide into {}", to_string(from), to_string(wanted))};
    }
    to[static_cast<std::size_t>(unknown_at)] = count(from) / known;
  }
  if (checked_count(to) != checked_count(from)) {
    return Error{fmt::format("Reshape: {} and {} have different sizes", to_string(from), to_string(to))};
  }
  return to;
}

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  const Shape& to = op.ints("shape");
  if (!checked_count(to) || checked_count(to) != checked_count(in[0])) {
    return Error{fmt::format("Reshape: {} and {} have different sizes", to_string(in[0]), to_string(to))};
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, reshaped_index(in[0], to)}}};
  return Meaning{{}, {to, {std::move(term)}}};
}

Result<std::vector<OnnxImported>> from_onnx(const OnnxCall& call) {
  if (!call.has(1) || !call.operands[1].ints) return Error{"Reshape: the shape is no constant", ErrorKind::Unsupported};
  if (!call.operands[0].type.shape) return Error{"Reshape: the input's shape is unknown", ErrorKind::Unsupported};
  const auto* allow_zero = call.attrs.find("allowzero");
  const bool zero_is_zero = allow_zero != nullptr && *allow_zero == AttrValue{std::int64_t{1}};
  auto to = resolve(*call.operands[1].ints, *call.operands[0].type.shape, zero_is_zero);
  if (!to) return std::move(to).error();
  return std::vector<OnnxImported>{{Op{&reshape(), Attrs{{"shape", *to}}}, {std::size_t{0}}}};
}

OnnxEmitted to_onnx(const Op& op, std::span<const Shape>, int) {
  return {"Reshape", {}, {std::size_t{0}, op.ints("shape")}};
}

}  // namespace

const OpDef& reshape() {
  static const OpDef def{.name = "Reshape",
                         .summary = "the same elements in row-major order under another shape",
                         .arity = {1, 1},
                         .attrs = {{"shape", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower,
                         .from_onnx = from_onnx,
                         .to_onnx = to_onnx};
  return def;
}

}  // namespace pet::ops
