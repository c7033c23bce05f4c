// Operators that are one element function of their one operand, with the attributes, if any, for
// its parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/op.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {

// A function of one number, without parameters.
template <auto kValue>
constexpr ElementFunction function_of(std::string_view name, Totality totality = Totality::Total) {
  return {.name = name,
          .totality = totality,
          .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
            return kValue(x[0]);
          }};
}

// The same of one that stays below a limit, infinite as its argument may be.
constexpr ElementFunction bounded(ElementFunction function) {
  function.bounded = true;
  return function;
}

// The operator of that function. Its attributes are numbers, in the order in which the function
// takes them.
template <const ElementFunction& kFunction>
OpDef elementwise(std::string name, std::string summary, std::vector<AttrDef> parameters = {},
                  int since = 1) {
  const auto lower = [](const Op& op, std::span<const Shape> in) {
    std::vector<double> values;
    for (const AttrDef& parameter : op.def->attrs) values.push_back(op.real(parameter.name));
    return pointwise(kFunction, std::move(values), in);
  };
  return {.name = std::move(name),
          .summary = std::move(summary),
          .arity = {1, 1},
          .attrs = std::move(parameters),
          .since = since,
          .lower = lower,
          .affine_in_sizes = kFunction.totality == Totality::Total ? with_any_attributes : nullptr};
}

}  // namespace pet::ops
