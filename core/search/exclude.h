// Places that the user wants left alone.
#pragma once

#include <string>
#include <vector>

#include "core/program/split.h"

namespace pet {

// The classes without the places that compute a value of such a name; * and ? in a pattern stand
// for others.
std::vector<SubprogramClass> included(std::vector<SubprogramClass> classes, const Graph& graph,
                                      const std::vector<std::string>& patterns);

}  // namespace pet
