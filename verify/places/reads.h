// What a place reads of its boundary: what may be undefined there for the mutant's piece must be
// read by the original's, too.
#pragma once

#include <stop_token>
#include <vector>

#include "verify/places/place.h"

namespace pet::places {

// By node: its value depends on results of an operator without a meaning.
std::vector<char> behind_opaque(const Graph& graph);

// The same, or of a function that is not defined everywhere, applied to something that is no
// constant.
std::vector<char> behind_partial_functions(const Graph& graph);

// Whether the mutant's piece reads, of these boundary values, only elements that the original's
// reads. `values`: by number of the boundary. False where it would take too long to find out.
bool reads_no_more(const Place& place, const std::vector<char>& values,
                   const std::stop_token& stop);

}  // namespace pet::places
