// Operators that yield truth values: in a meaning false is 0 and true is 1.
#pragma once

#include <span>

#include "core/ir/op.h"

namespace pet::ops {

// 1 or 0, and no number where an element is none: over the reals nothing is said of it.
Real truth(bool said, std::span<const Real> elements);

// Of an operator that has no meaning for elements of such types.
Error not_defined_for_these(const Op& op);

// Which of two operands of one type is larger, broadcast; truth values are not ordered. REQUIRES:
// all outlive this
OpDef comparison(const char* name, const char* summary, int since,
                 Result<Meaning> (*lower)(const Op&, std::span<const Shape>),
                 std::optional<std::int64_t> (*on_integers)(std::span<const std::int64_t>));

// Of two elements the first is larger, or is not smaller: what is Less of two is Greater of the two
// the other way round, and no other function.
const ElementFunction& larger_function();
const ElementFunction& not_smaller_function();
// The function of the operands the other way round.
Result<Meaning> pointwise_reversed(const ElementFunction& function, std::span<const Shape> in);

// An operator on truth values alone.
OpDef logic(const char* name, const char* summary, std::size_t operands,
            Result<Meaning> (*lower)(const Op&, std::span<const Shape>),
            std::optional<std::int64_t> (*on_integers)(std::span<const std::int64_t>));

}  // namespace pet::ops
