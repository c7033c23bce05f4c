// Rounding may not decide (theory: section 6a, check (c)): a program may be equal over the reals
// and yet compute nothing but rounding errors, by adding something huge and taking it away again.
#pragma once

#include <map>
#include <stop_token>

#include "core/eval/evaluate.h"
#include "core/ir/graph.h"
#include "verify/residue_store.h"
#include "verify/value_table.h"

namespace pet {

// The nodes of the original by the digest of their value.
using NodesByDigest = std::map<Digest, std::vector<NodeId>>;

// Both programs with absolute constants and coefficients, inputs and results of functions 1, a
// result that the original has nowhere infinite (it may be cropped, never summed): how
// much larger the mutant's largest sum in a channel is than the original's, at worst over outputs
// and arguments of element functions. Infinity where the mutant's alone is infinite.
//
// What is compared with what is decided by values, not by places: an argument tensor with every
// tensor of the original that has the same value, else each of its elements with those elements of
// the original's arguments that have the same value. The smallest counterpart counts. REQUIRES:
// every node of the mutant has its value
Result<double> growth(const Graph& original, const Graph& mutant, const ValueTable& table,
                      ResidueStore& store, const ResidueEvaluator& evaluator,
                      const NodesByDigest& originals, std::size_t threads,
                      const std::stop_token& stop);

inline constexpr double kLargestGrowth = 65536;

}  // namespace pet
