// Two programs of no particular sizes: what they are at any values of some size symbols.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/graph.h"
#include "verify/region/affine.h"

namespace pet::all_sizes {

using region::Affine;
using region::Var;

using SizeValues = std::vector<Dim>;  // of the symbols, in order

// What `at` gives must be the same operators at all values, and every number in their attributes an
// affine function of the symbols, also where nobody looks: whoever makes a family answers for that.
struct Family {
  std::vector<std::string> symbols;  // for people; symbol i is variable i of every Affine
  std::vector<Affine>
      at_least_zero;  // what holds of the symbols: at these values there are programs
  std::function<Result<std::pair<Graph, Graph>>(const SizeValues&)> at;
};

}  // namespace pet::all_sizes
