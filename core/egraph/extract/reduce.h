// What an optimal extraction need not look at. Some cheapest choice of the whole is among what is
// left.
#pragma once

#include "core/egraph/extract/problem.h"

namespace pet::egraph {

struct Reduced {
  // The nodes of each class that are left; none: the roots never need it, or it is free.
  std::vector<std::vector<Number>> classes;
  // By node: classes of which one node is taken with it, as far as they are not taken anyway, nor
  // follow from others of them.
  std::vector<std::vector<Number>> needs;
  // By node: children that reach its own class. What is chosen of them must not.
  std::vector<std::vector<Number>> before;
  std::vector<char> is_mandatory;  // by class: every choice takes a node of it
  Choice free;                     // by class: a node that costs nothing, to be taken in any case
  std::vector<Number> component;   // by class: those that reach each other have one number
  std::vector<std::size_t> component_size;
};

Reduced reduce(const Problem& problem);

}  // namespace pet::egraph
