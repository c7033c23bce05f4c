// Searches by what they follow from: whoever has a configuration (a command line, a journal) has
// the search.
#pragma once

#include "core/rewrite/rewriter.h"
#include "core/search/search.h"

namespace pet {

// An Error where the configuration names what is not there any more: a set of rules that has
// changed, a rule of none, a condition that does not speak of it.
Result<SearchFactory> search_of(const AnySearchConfig& config);

// The rules of these sets, each with its condition. An Error as above.
Result<std::vector<rules::UsableRule>> usable_rules(const std::vector<UsedRules>& sets);

// PET's own, which needs nothing besides. REQUIRES: the configuration is one of it
std::unique_ptr<Search> make_pet_search(const Model& model, std::string target,
                                        const AnySearchConfig& config, SearchPorts ports);

}  // namespace pet
