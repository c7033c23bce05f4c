// Which rules a search may use: those of the sets that were asked for, as far as they can ever meet
// the model and were found right.
#pragma once

#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/search/search_config.h"
#include "verify/rules/verified_rules.h"

namespace pet::app {

// Rules that are wrong or unknown are told on stderr and left out. An Error: a file that cannot be
// read, or a stop.
Result<std::vector<UsedRules>> choose_rules(const std::vector<std::string>& sets,
                                            const Graph& program,
                                            const rules::Verifying& verifying);

// Where verdicts are remembered; nothing: nowhere.
std::optional<std::filesystem::path> remembered_rules();

}  // namespace pet::app
