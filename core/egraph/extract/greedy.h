// Extractors that go from operands to results, class by class: each class takes the node that looks
// cheapest by what its children cost. What values that are shared cost is where they differ.
#pragma once

#include "core/egraph/extract/problem.h"

namespace pet::egraph {

// Every use of a value is paid for again (egg's own way): what is shared is overestimated, and by
// Knuth's order no choice needs itself. REQUIRES of all: check(problem)
Choice extract_tree(const Problem& problem);

// Values that are shared are paid for once: each class remembers the *set* of classes that it needs
// (Hartmann et al., PACT'24, section 4.2, without its approximation). What is cheapest depends on
// the order in which classes are looked at, so several orders are tried, the best one is improved
// class by class, and it never costs more than the tree's.
Choice extract_dag(const Problem& problem);

// Hartmann et al., PACT'24, Algorithm 2, as it is printed: of what a child has in common with those
// before it only the largest single part is not paid for again; and repaired: all of it is.
enum class Overlap { LargestPart, Union };
struct Estimated {
  Choice choice;
  double cost = 0;  // of the roots, as the algorithm counts
};
Estimated extract_ocf(const Problem& problem, Overlap overlap);

}  // namespace pet::egraph
