// The largest or smallest of several numbers; what is no number stays none.
#pragma once

#include <cmath>
#include <span>

#include "core/ir/meaning.h"

namespace pet::ops {

// Of `first` and the others: the one that is `better` than all.
template <class Better>
Real extreme(Real first, std::span<const Real> others, Better better) {
  Real out = first;
  for (const Real x : others) {
    if (std::isnan(out)) break;
    if (std::isnan(x) || better(x, out)) out = x;
  }
  return out;
}

// Of a window. One of nothing but holes yields the smallest float (of the smallest: the largest
// one), as runtimes do.
const ElementFunction& largest_function();
const ElementFunction& smallest_function();

}  // namespace pet::ops
