// Places whose rounding needs no look: nothing can cancel in the second program's piece.
#pragma once

#include "core/ir/graph.h"

namespace pet::places {

// Whether no sum of the mutant can be larger than the original's, whatever the sizes of inputs and
// weights are, if both are equal over the reals and the mutant's weights are symbols: it adds
// products with weights above 0 alone, so no two of them cancel, and each of them the original has
// as well. A constant that may have either sign is added alone, and follows from what the original
// computes with. On the way nothing is much larger or smaller than in the end: numbers that the
// mutant multiplies by are ordinary, and weights come in once. REQUIRES: the program is a sum of
// products of its inputs
bool is_tame(const Graph& original, const Graph& mutant);

// Whether both pieces are the same products added up by one operator, of constants as they are
// stored, between operators that move elements and no more: then floats come out of them alike, but
// for the order in which a runtime adds up what it adds up in one step. REQUIRES: as above, and
// both are equal over the reals
bool is_rounded_alike(const Graph& original, const Graph& mutant);

// Whether nothing that the program computes can come near the largest floats, functions' results
// and inputs being 1.
bool stays_within_floats(const Graph& program);

}  // namespace pet::places
