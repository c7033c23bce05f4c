// The result of an element function as a factor: known by the function, its parameters and its
// arguments, each a sum of products.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ir/meaning.h"
#include "verify/region/term_list.h"

namespace pet::region {

// An argument; nothing: a hole of a window.
using Argument = std::optional<TermList::Terms>;

struct Arguments {
  std::vector<Argument> elements;
  std::vector<Argument> window;
};

// Arguments that are sums of single products of different leaves are told apart by these, and where
// the leaves are read becomes the index of the factor: f(x[i]) is one leaf, read at i. All others
// are part of what the leaf is: then no argument may move with a variable that is summed over
// outside it, in whichever product (from the `digits` of the output to `variables`), and the answer
// is the one that has to be taken apart.
std::variant<Factor, Var> applied(const Application& application, const Arguments& arguments,
                                  std::size_t digits, std::size_t variables, LeafTable& leaves);

}  // namespace pet::region
