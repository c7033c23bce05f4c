// Programs that are so many copies of one along an axis that a file leaves open, a batch above all.
//
// Theorem. Let P(n) be a program, for every n from 2 on, each of whose values is either *still*
// (its extents and what computes it do not depend on n) or *carried*: one of its extents is c·n,
// the others do not depend on n, and its elements whose place along that axis lies in [k·c,
// (k+1)·c) are its copy k. Let every operator be such that an element of copy k of its result reads
// of carried operands elements of copy k alone, of still ones whatever it likes, at places that
// depend neither on k nor on n but for the shift by k copies, and a still result reads nothing that
// is carried. Then copy k of every output is the same function of copy k of the inputs and of what
// is still, for all k and n (by induction along the program). So two such programs that carry their
// outputs alike are equal for every n from 2 on if they are for n = 2.
//
// Nothing of it holds at n = 1, where an axis of extent 1 may be broadcast: that is asked by
// itself.
#pragma once

#include <span>
#include <vector>

#include "core/ir/graph.h"

namespace pet::all_sizes {

// How a value depends on n.
struct Carried {
  int axis = -1;  // -1: it is still
  Dim block = 0;  // extent of one copy along the axis

  bool is_still() const { return axis < 0; }
  bool operator==(const Carried&) const = default;
};

struct Copies {
  std::vector<Carried> outputs;
  std::vector<std::vector<Carried>> values;  // by graph and node; still where no output needs it
};

// `graphs`: the same program at each of `numbers` copies; equal nodes may be one node in some of
// them and several in others. `more`: values by graph that have to be carried or still, too, beside
// those that outputs need. What is found at these holds at all:
// along an axis that is read in place every operator means the same at every extent from 2 on
// (core/ops/README.md). An Error: it is no such program. REQUIRES: numbers from 2 on
Result<Copies> copies_of(std::span<const Graph* const> graphs, std::span<const Dim> numbers,
                         std::span<const std::vector<NodeId>> more = {});

}  // namespace pet::all_sizes
