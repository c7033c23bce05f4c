// Operators that are one element function of their one operand, with the attributes, if any, for
// its parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/op.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {

// The operator of that function. Its attributes are numbers, in the order in which the function
// takes them.
template <const ElementFunction& (*kFunction)()>
OpDef elementwise(std::string name, std::string summary, std::vector<AttrDef> parameters = {},
                  int since = 1) {
  const auto lower = [](const Op& op, std::span<const Shape> in) {
    std::vector<double> values;
    for (const AttrDef& parameter : op.def->attrs) values.push_back(op.real(parameter.name));
    return pointwise(kFunction(), std::move(values), in);
  };
  const bool is_total = kFunction().totality == Totality::Total;
  return {.name = std::move(name),
          .summary = std::move(summary),
          .arity = {1, 1},
          .attrs = std::move(parameters),
          .since = since,
          .lower = lower,
          .affine_in_sizes = is_total ? with_any_attributes : nullptr};
}

template <const ElementFunction& kFunction>
const ElementFunction& that_function() {
  return kFunction;
}

// The same of a function that no other operator applies.
template <const ElementFunction& kFunction>
OpDef elementwise(std::string name, std::string summary, std::vector<AttrDef> parameters = {},
                  int since = 1) {
  return elementwise<that_function<kFunction>>(std::move(name), std::move(summary),
                                               std::move(parameters), since);
}

}  // namespace pet::ops
