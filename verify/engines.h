// The engines by name, and which of them a question goes to.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/equivalence.h"

namespace pet {

using Engines = std::vector<std::unique_ptr<EquivalenceChecker>>;

std::vector<EquivalenceChecker*> pointers(const Engines& engines);

// Those that are asked by default: the bitmap engine, and the exact one where shapes are small.
Engines default_engines();

// All but the solver, none of which takes long over small programs. The bitmap engine first.
Engines quick_engines();

// The names that engines_called() takes: each engine, and "all".
std::vector<std::string> engine_names();

// The engine of that name first, so that it gives the verdict; after it, unless it is that one, the
// bitmap engine, without which nothing is called equal. REQUIRES: one of engine_names()
Engines engines_called(std::string_view name);

}  // namespace pet
