// Where the generator starts: a subprogram read as one product of data and weight. One operator is
// one by itself; operators side by side are joined into one, operators in a row composed.
#pragma once

#include <vector>

#include "core/program/mutate/state.h"

namespace pet::mutation {

// The products that the subprogram is, alone, several as one (side by side or added up), or two
// composed; most promising first.
std::vector<State> roots(const Graph& subprogram);

}  // namespace pet::mutation
