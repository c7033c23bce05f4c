// Sums that are nothing but one tensor, element by element: no loop need be run for them.
#pragma once

#include "core/ir/meaning.h"

namespace pet {

inline bool is_read_in_place(const IndexedSum& sum, std::size_t operand, const Shape& shape) {
  if (sum.out != shape || sum.terms.size() != 1) return false;
  const Term& term = sum.terms.front();
  return term.coef.scale == 1 && term.coef.tables.empty() && term.reduce.empty() &&
         term.guards.empty() && term.factors.size() == 1 &&
         static_cast<std::size_t>(term.factors[0].operand) == operand &&
         term.factors[0].index == identity_index(shape);
}

// Whether what a node yields are the results of its last application. REQUIRES: it has one
inline bool is_result_in_place(const Meaning& meaning, std::size_t operands) {
  return is_read_in_place(meaning.sum, operands + meaning.applications.size() - 1,
                          meaning.applications.back().out);
}

}  // namespace pet
