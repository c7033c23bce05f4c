// Constants that are no real numbers: what cancels over the reals does not cancel there.
#pragma once

#include <stop_token>
#include <string>

#include "core/ir/graph.h"

namespace pet {

// Names an operator of either program that computes with an infinite constant or one that is no
// number, however it got there; empty where there is none: such constants may be moved, and be
// arguments of functions.
Result<std::string> infinite_arithmetic(const Graph& original, const Graph& mutant,
                                        const std::stop_token& stop);

}  // namespace pet
