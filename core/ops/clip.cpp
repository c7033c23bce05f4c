// Clip: min(max(x, low), high), so that `high` wins where low > high.
#include <fmt/format.h>

#include <limits>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

const ElementFunction kClip{
    .name = "clip",
    .totality = Totality::Total,
    .text = "(x0 < x1 ? x1 : x0) > x2 ? x2 : x0 < x1 ? x1 : x0",
    .value =
        [](std::span<const double>, const RowState&, std::span<const Real> x) {
          const Real raised = x[0] < x[1] ? x[1] : x[0];
          return raised > x[2] ? x[2] : raised;
        },
    .at_infinity = Finiteness::MaybeInfinite};

Result<Meaning> lower_clip(const Op&, std::span<const Shape> in) {
  Application application{&kClip, {}, in[0], {{0, identity_index(in[0])}}, std::nullopt};
  for (int i = 1; i < 3; ++i) {
    const Shape& limit = in[static_cast<std::size_t>(i)];
    if (limit.size() > 1 || count(limit) != 1) {
      return Error{
          fmt::format("Clip: a limit has shape {}, it must be a single number", to_string(limit))};
    }
    application.elements.push_back({i, std::vector<IndexExpr>(limit.size(), IndexExpr(0))});
  }
  return Meaning{{std::move(application)}, read_in_place(3, in[0])};
}

constexpr double kLargest = std::numeric_limits<float>::max();
constexpr int kLimitsAreOperandsSince = 11;

// Attributes, in older operator sets.
Result<double> limit_or(const OnnxCall& call, std::string_view name, double standard) {
  const AttrValue* value = call.attrs.find(name);
  if (value == nullptr) return standard;
  if (const auto* number = std::get_if<double>(value)) return *number;
  return Error{fmt::format("Clip: attribute {} is no number", name)};
}

Imported clip_by_attributes(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"min", "max"}); !known) return std::move(known).error();
  const auto low = limit_or(call, "min", -kLargest);
  if (!low) return low.error();
  const auto high = limit_or(call, "max", kLargest);
  if (!high) return high.error();
  return one_result(clip(), {}, {std::size_t{0}, OnnxSource{*low}, OnnxSource{*high}});
}

Imported clip_from_onnx(const OnnxCall& call) {
  if (!call.has(0)) return Error{"Clip: no input"};
  if (call.opset < kLimitsAreOperandsSince) return clip_by_attributes(call);
  if (auto known = only_attributes(call, {}); !known) return std::move(known).error();
  std::vector<OnnxSource> operands = {std::size_t{0}};
  operands.push_back(call.has(1) ? OnnxSource{std::size_t{1}} : OnnxSource{-kLargest});
  operands.push_back(call.has(2) ? OnnxSource{std::size_t{2}} : OnnxSource{kLargest});
  return one_result(clip(), {}, std::move(operands));
}

Result<OnnxEmitted> clip_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  if (opset < kLimitsAreOperandsSince)
    return not_in_opset(op, "", opset, "limits are attributes there");
  return OnnxEmitted{"Clip", {}, {std::size_t{0}, std::size_t{1}, std::size_t{2}}};
}

}  // namespace

const OpDef& clip() {
  static const OpDef def{.name = "Clip",
                         .summary = "x raised to the second operand, then lowered to the third",
                         .arity = {3, 3},
                         .attrs = {},
                         .lower = lower_clip,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = clip_from_onnx,
                         .to_onnx = clip_to_onnx};
  return def;
}

}  // namespace pet::ops
