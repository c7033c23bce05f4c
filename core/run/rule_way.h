// The way of a search by rewrite rules, as its journal tells it.
#pragma once

#include <vector>

#include "core/run/record.h"
#include "core/search/journal.h"

namespace pet {

// The rules from the original to the cheapest program that was reached, in order, with what each
// saves by estimate; in an e-graph rules have no costs of their own, and the last one has what all
// of them save. Empty where the search knows no rules, or reached nothing cheaper.
std::vector<RuleStepRecord> rule_way(const JournalContent& journal);

}  // namespace pet
