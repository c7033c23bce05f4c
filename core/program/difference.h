// What has to be written into a file so that it computes another program: the parts of the program
// that are new.
#pragma once

#include <vector>

#include "core/ir/replacement.h"

namespace pet {

// `changed` has the inputs (by name) and outputs (by position) of `source`, and values of its that
// carry the name of one of `source` stand for it. Connected new nodes become one replacement each.
// An Error where a node that cannot be written anew (an opaque one) reads something new that stands
// for nothing, or no longer is what it was.
Result<std::vector<Replacement>> differences(const Graph& source, const Graph& changed,
                                             const std::string& label);

}  // namespace pet
