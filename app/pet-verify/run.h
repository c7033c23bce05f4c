// What pet-verify does, whatever the engines.
#pragma once

#include <functional>

#include "app/pet-verify/options.h"
#include "verify/pairs/engines.h"

namespace pet::app {

// Makes the engines anew for each thread. The first one gives the verdict.
using MakeEngines = std::function<Engines()>;

// Asks the engines, prints the reports, and says the exit code.
int run(const Options& options, const MakeEngines& engines);

}  // namespace pet::app
