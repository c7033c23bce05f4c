// The engines by name, and which of them a question goes to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/verdict/engine.h"

namespace pet {

using Engines = std::vector<std::unique_ptr<Engine>>;

std::vector<Engine*> pointers(const Engines& engines);

// How far engines go on a pair before they say that they do not know.
struct EngineLimits {
  // Of each of them (README.md says what a step is), and nothing goes by the clock then: the same
  // limit gives the same verdict on every machine. Limits that keep them within memory stay.
  // Nothing: all limits are their own.
  std::optional<std::size_t> steps;
};

// Those that are asked by default: the bitmap engine, and the exact one where shapes are small.
Engines default_engines(const EngineLimits& limits = {});

// All but the solver, none of which takes long over small programs. The bitmap engine first.
Engines quick_engines();

inline constexpr std::string_view kAllEngines = "all";

// No engine: places first, at programs of any size, and those that are asked by default where these
// do not know.
inline constexpr std::string_view kPlaces = "places";

// PET's own test, asked for by its name alone: it speaks of multi-linear programs only, and "all"
// has engines that say more of them.
inline constexpr std::string_view kTheorem = "theorem";

// The names that engines_called() takes: each engine, "all" and "places".
std::vector<std::string> engine_names();

// The engine of that name first, so that it gives the verdict; after it, unless it is that one, the
// bitmap engine, without which nothing is called equal. REQUIRES: one of engine_names()
Engines engines_called(std::string_view name, const EngineLimits& limits = {});

// PET's test as the paper has it, by itself: what it says is no evidence, and nobody is asked to
// contradict it.
Engines theorem_as_published(const EngineLimits& limits = {});

}  // namespace pet
