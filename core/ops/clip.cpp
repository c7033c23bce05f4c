// Clip: min(max(x, low), high), so that `high` wins where low > high: raised, then lowered, unless
// a limit is one that floats never pass. Raised to 0 it is Relu.
#include <fmt/format.h>

#include <limits>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

// What stands for a limit that is left out.
constexpr double kNoLimit = std::numeric_limits<float>::max();

const ElementFunction kRaised{
    .name = "raised",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] < x[1] ? x[1] : x[0];
    }};
const ElementFunction kLowered{
    .name = "lowered",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] > x[1] ? x[1] : x[0];
    }};

Result<Meaning> lower_with(const Op&, std::span<const Shape> in, const KnownNumbers& numbers) {
  for (const Shape& limit : in.last(2)) {
    if (limit.size() > 1 || count(limit) != 1) {
      return Error{
          fmt::format("Clip: a limit has shape {}, it must be a single number", to_string(limit))};
    }
  }
  std::vector<Application> applications;
  int clipped = 0;  // what was made of the operand so far
  const auto apply = [&](const ElementFunction& function, std::size_t limit) {
    applications.push_back(applied_to(function, {}, clipped, in[0]));
    if (&function != &relu_function()) {
      applications.back().elements.push_back(
          {static_cast<int>(limit), std::vector<IndexExpr>(in[limit].size(), IndexExpr(0))});
    }
    clipped = static_cast<int>(in.size() + applications.size()) - 1;
  };
  if (!numbers[1] || *numbers[1] != -kNoLimit)
    apply(numbers[1] && *numbers[1] == 0 ? relu_function() : kRaised, 1);
  if (!numbers[2] || *numbers[2] != kNoLimit) apply(kLowered, 2);
  return Meaning{std::move(applications), read_in_place(clipped, in[0])};
}

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  return lower_with(op, in, KnownNumbers(in.size()));
}

Imported from_onnx(const OnnxCall& call) {
  if (!call.has(0)) return Error{"Clip: no input"};
  if (auto known = only_attributes(call, {}); !known) return std::move(known).error();
  std::vector<OnnxSource> operands = {std::size_t{0}};
  operands.push_back(call.has(1) ? OnnxSource{std::size_t{1}} : OnnxSource{-kNoLimit});
  operands.push_back(call.has(2) ? OnnxSource{std::size_t{2}} : OnnxSource{kNoLimit});
  return one_result(clip(), {}, std::move(operands));
}

}  // namespace

const OpDef& clip() {
  static const OpDef def{.name = "Clip",
                         .summary = "x raised to the second operand, then lowered to the third",
                         .arity = {3, 3},
                         .attrs = {},
                         .lower = lower,
                         .lower_with = lower_with,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = from_onnx};
  return def;
}

}  // namespace pet::ops
