// Cast: the same number as an element of another type: of a float the integer towards 0, of
// anything whether it is not 0. A function, though a whole number may stay what it is: floats do
// not hold all integers.
#include <cmath>
#include <optional>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kAsFloat{
    .name = "as_float",
    .totality = Totality::Total,
    .text = "x0",
    // Every float is one, whatever is computed in its place; not every integer is.
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      const bool is_large_integer = std::abs(x[0]) > 0x1p24L && x[0] == std::trunc(x[0]);
      return is_large_integer ? static_cast<float>(x[0]) : x[0];
    },
    .at_infinity = Finiteness::MaybeInfinite};

// Of what no integer of the type is near, runtimes make anything.
const ElementFunction kAsInteger{
    .name = "as_integer",
    .totality = Totality::Partial,
    .text = "truncf(x0)",
    .value =
        [](std::span<const double> parameters, const RowState&, std::span<const Real> x) {
          const auto range = integer_range(static_cast<DType>(parameters[0]));
          const Real whole = std::trunc(x[0]);
          const bool fits = range && whole >= range->least && whole <= range->largest;
          return fits ? whole : std::numeric_limits<Real>::quiet_NaN();
        },
    .jumps = Jumps::AtNumbers};

const ElementFunction kAsTruth{
    .name = "as_truth",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x0 != 0 ? 1 : 0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return truth(x[0] != 0, x);
    },
    .at_infinity = Finiteness::Finite,
    .jumps = Jumps::AtNumbers};

// By ONNX's number of it.
std::optional<DType> type_of_number(std::int64_t number) {
  return number > 0 && number < 1000 ? dtype_from(static_cast<int>(number)) : std::nullopt;
}

Result<Meaning> lower_cast(const Op& op, std::span<const Shape> in) {
  const auto to = type_of_number(op.integer("to"));
  if (!to || !are_numbers(*to))
    return Error{"Cast: not interpreted to that type", ErrorKind::Unsupported};
  const ElementFunction& function = *to == DType::Float  ? kAsFloat
                                    : *to == DType::Bool ? kAsTruth
                                                         : kAsInteger;
  return pointwise(function, {static_cast<double>(op.integer("to"))}, in);
}

Result<DType> type_of_cast(const Op& op, std::span<const DType> operands) {
  if (!are_numbers(operands[0])) return not_defined_for_these(op);
  return *type_of_number(op.integer("to"));
}

Imported cast_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"to", "saturate", "round_mode"}); !known)
    return std::move(known).error();
  const auto to = integer_or(call, "to", 0);
  if (!to) return to.error();
  const auto dtype = type_of_number(*to);
  // It is of that type anyway.
  if (dtype && call.has(0) && call.operands[0].dtype == *dtype)
    return one_result(identity(), {}, {std::size_t{0}});
  if (!dtype || !are_numbers(*dtype))
    return Error{"Cast: not interpreted to that type", ErrorKind::Unsupported};
  return one_result(cast(), Attrs{{"to", *to}}, {std::size_t{0}});
}

}  // namespace

const OpDef& cast() {
  static const OpDef def{.name = "Cast",
                         .summary = "the same numbers as elements of another type",
                         .arity = {1, 1},
                         .attrs = {{"to", std::int64_t{1}, AttrRole::Parameter, true}},
                         .lower = lower_cast,
                         .element_type = type_of_cast,
                         .from_onnx = cast_from_onnx};
  return def;
}

}  // namespace pet::ops
