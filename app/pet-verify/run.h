// What pet-verify does, whatever the engines.
#pragma once

#include <span>

#include "app/pet-verify/options.h"

namespace pet::app {

// Asks the engines, prints the report, and says the exit code. The first engine gives the verdict.
int run(const Options& options, std::span<EquivalenceChecker* const> engines);

}  // namespace pet::app
