// What a file computes from constants alone is the same at every run, so what floats make of it is
// known beforehand. Sizes of sums (conditioning.h) do not see it where the sums of the original
// leave the floats as well and only their signs keep the results inside, nor where nothing but
// constants cancel.
#pragma once

#include <stop_token>
#include <string>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// Why what they compute from finite constants alone, as their outputs need it, does not speak for
// two programs' being equal: floats cannot hold it, or are far off in the mutant alone. Empty: it
// does.
Result<std::string> objection_to_constants(const Graph& original, const Graph& mutant,
                                           std::size_t threads, const std::stop_token& stop);

}  // namespace pet
