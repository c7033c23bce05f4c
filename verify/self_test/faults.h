// Programs broken on purpose, one small fault each: what a checker has to notice. No operator is
// named here: what can be changed of one follows from its definition.
#pragma once

#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/rng.h"

namespace pet::self_test {

struct Fault {
  std::string what;  // "Conv y: pads[0] 1 -> 2, pads[2] 1 -> 0"
  Graph program;
};

// At most so many, drawn from all there are: integers of attributes one more or less (one of them,
// or two so that extents may stay), their entries exchanged, numbers negated or doubled; operands
// exchanged or replaced; an operator left out, its result negated or turned along an axis; an entry
// of a constant changed or exchanged. Each has the outputs' types and is another program than
// `program`; it may still compute the same.
std::vector<Fault> faults_of(const Graph& program, std::size_t most, Rng& rng);

}  // namespace pet::self_test
