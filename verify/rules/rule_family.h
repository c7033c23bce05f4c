// A rule at all sizes at once.
#pragma once

#include "core/rewrite/rule.h"
#include "verify/all_sizes/family.h"

namespace pet::rules {

// An Error where more than sizes is chosen for it.
// REQUIRES: the rule outlives it
Result<all_sizes::Family> family_of(const Rule& rule);

}  // namespace pet::rules
