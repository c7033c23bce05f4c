// Where two programs differ, at a fraction of the price of looking everywhere: the channels of a
// result that nothing but a weight carries are treated alike by whatever computes them, so of these
// one is drawn anew for each position of the others. What is found is wrong for certain; that
// nothing else is remains to be checked before it is relied on.
#pragma once

#include <stop_token>

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// The positions of the mutant's only output at which it was seen to differ, in all of the channels
// that were drawn from. Draws from the seed alone; inputs are matched by name.
// An Error (Unsupported) where this is no cheaper than looking everywhere, where the programs
// cannot be evaluated at single points, or where what differs is no region of few boxes.
Result<Region> thin_difference(const Graph& original, const Graph& mutant, std::uint64_t seed,
                               const std::stop_token& stop);

}  // namespace pet
