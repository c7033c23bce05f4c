// Checkers that are broken on purpose: a campaign that does not catch them is worth nothing.
#pragma once

#include <memory>
#include <string_view>

#include "core/program/equivalence.h"

namespace pet::fuzz {

// "everywhere": says equal everywhere · "last": never looks at the last position of an output ·
// "parameters": takes every function's parameters for the defaults; "witness": a witness tells a
// number that the mutant does not yield. Null: no such name.
std::unique_ptr<EquivalenceChecker> sabotaged(std::string_view name);

}  // namespace pet::fuzz
