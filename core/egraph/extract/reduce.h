// What an optimal extraction need not look at. Some cheapest choice of the whole is among what is
// left.
#pragma once

#include "core/egraph/extract/problem.h"

namespace pet::egraph {

struct Reduced {
  // The nodes of each class that are left; none: the roots never need it, or it is free.
  std::vector<std::vector<Number>> classes;
  // By node: children that have to be taken with it. Those that are free or taken anyway are left
  // out, but for those of its own component.
  std::vector<std::vector<Number>> children;
  std::vector<char> is_mandatory;      // by class: every choice takes a node of it
  Choice free;                         // by class: a node that costs nothing, nor do its children
  std::vector<Number> component;       // by class: those that reach each other have one number
  std::vector<std::size_t> component_size;
};

Reduced reduce(const Problem& problem);

}  // namespace pet::egraph
