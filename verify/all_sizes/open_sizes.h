// Files that leave sizes open: are two programs equal at all of them?
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/result.h"
#include "verify/all_sizes/sized_program.h"

namespace pet::all_sizes {

// Both programs at sizes by name, as often as they are wanted.
using ReadAt = std::function<Result<std::pair<Graph, Graph>>(const std::map<std::string, Dim>&)>;

// Done, or an Error that says why it was not proved. Over the reals, for sizes from 1 on.
Status prove_for_open_sizes(const std::vector<std::string>& names, const ReadAt& read,
                            Constants constants, std::stop_token stop);

}  // namespace pet::all_sizes
