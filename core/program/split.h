// From a program to the subprograms that are worked on (PET, sections 4 and 6.1): sets of at most
// `max_operators` operators that are linear in what is computed (element functions of constants
// alone do not count). Composites are never cut into.
#pragma once

#include "core/program/subprogram.h"

namespace pet {

struct SplitOptions {
  std::size_t max_operators = 4;
  std::size_t max_sets = 20'000;  // of operators that are looked at
};

// The places of a program where the same is computed with other weights: a mutant of the one is
// carried to the others by transfer().
struct SubprogramClass {
  std::vector<Subprogram> places;  // in order of the program, at least one
  const Subprogram& representative() const { return places.front(); }
};

struct Split {
  std::vector<SubprogramClass> classes;
  std::size_t left_out =
      0;  // sets of the size at which `max_sets` was met; larger ones were not looked at
};

// Every connected set of up to that many linear operators that outputs need, into which nothing
// re-enters that has left it, smaller ones first, in order of the program; then siblings: products
// of the same kind and shape (but for the number of results) that do not depend on one another,
// reading one value or different values of equal type; then such products together with the
// additions that add them up and nothing else. Where such a set is all that lies between
// non-linear operators, it is a subprogram in PET's sense, and otherwise a subset of one.
Split split(const Graph& program, const SplitOptions& options);

}  // namespace pet
