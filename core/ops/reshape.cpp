// Reshape: the same elements in row-major order under another shape.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/digits.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

constexpr int kAllowsZeroSince = 14;

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
      return Error{
          fmt::format("Reshape: {} does not divide into {}", to_string(from), to_string(wanted))};
    }
    to[static_cast<std::size_t>(unknown_at)] = count(from) / known;
  }
  if (checked_count(to) != checked_count(from)) {
    return Error{
        fmt::format("Reshape: {} and {} have different sizes", to_string(from), to_string(to))};
  }
  return to;
}

Result<Meaning> lower_reshape(const Op& op, std::span<const Shape> in) {
  const Shape& to = op.ints("shape");
  if (!checked_count(to) || checked_count(to) != checked_count(in[0])) {
    return Error{
        fmt::format("Reshape: {} and {} have different sizes", to_string(in[0]), to_string(to))};
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, reshaped_index(in[0], to)}}};
  return Meaning{{}, {to, {std::move(term)}}};
}

Imported reshape_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"allowzero"}); !known) return std::move(known).error();
  const auto from = operand_shape(call, 0);
  if (!from) return from.error();
  const auto wanted = constant_operand(call, 1, "shape");
  if (!wanted) return wanted.error();
  const auto allow_zero = flag_or(call, "allowzero", false);
  if (!allow_zero) return allow_zero.error();
  if (*allow_zero && call.opset < kAllowsZeroSince)
    return Error{"Reshape: allowzero before operator set 14", ErrorKind::Unsupported};
  auto to = resolve(*wanted, from->all(), *allow_zero);
  if (!to) return std::move(to).error();
  return one_result(reshape(), Attrs{{"shape", *std::move(to)}}, {std::size_t{0}});
}

// A 0 copies the operand's extent unless that is forbidden, which is possible from operator set 14
// on. Before, a single 0 is what -1 infers.
Result<OnnxEmitted> reshape_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  Ints to = op.ints("shape");
  const auto zeros = std::count(to.begin(), to.end(), 0);
  if (zeros == 0) return OnnxEmitted{"Reshape", {}, {std::size_t{0}, to}};
  if (opset >= kAllowsZeroSince)
    return OnnxEmitted{"Reshape", Attrs{{"allowzero", std::int64_t{1}}}, {std::size_t{0}, to}};
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] != 0 || (i < in[0].size() && in[0][i] == 0)) continue;
    if (zeros > 1)
      return not_in_opset(op, "shape", opset, "several extents of 0, which there copy extents");
    to[i] = -1;
  }
  return OnnxEmitted{"Reshape", {}, {std::size_t{0}, std::move(to)}};
}

}  // namespace

const OpDef& reshape() {
  static const OpDef def{.name = "Reshape",
                         .summary = "the same elements in row-major order under another shape",
                         .arity = {1, 1},
                         .attrs = {{"shape", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_reshape,
                         .reads_by_formula = true,
                         .from_onnx = reshape_from_onnx,
                         .to_onnx = reshape_to_onnx};
  return def;
}

}  // namespace pet::ops
