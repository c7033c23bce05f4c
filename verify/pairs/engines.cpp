#include "verify/pairs/engines.h"

#include <algorithm>

#include "core/util/check.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/exact/exact_engine.h"
#include "verify/region/region_engine.h"
#include "verify/smt/smt_engine.h"
#include "verify/theorem/theorem_engine.h"

namespace pet {
namespace {

ExactLimits exact_limits(const EngineLimits& limits) {
  ExactLimits out;
  if (limits.steps) {
    out.monomials = std::min(out.monomials, *limits.steps);  // they are kept in memory, too
    out.time.reset();
  }
  return out;
}

SmtEngine smt_engine(const EngineLimits& limits) {
  // What it does with products of variables it does not always count: then a clock ends it.
  constexpr std::chrono::minutes kLong{1};
  if (!limits.steps) return SmtEngine();
  return SmtEngine(kLong, {.steps = limits.steps});
}

std::unique_ptr<Engine> theorem_engine(TheoremForm form, const EngineLimits& limits) {
  return std::make_unique<TheoremEngine>(form, limits.steps.value_or(TheoremEngine::kMostSteps));
}

// Every engine that there is.
Engines all_engines(const EngineLimits& limits) {
  Engines out = default_engines(limits);
  out.push_back(std::make_unique<RegionEngine>(limits.steps.value_or(RegionEngine::kMostSteps)));
  out.push_back(std::make_unique<SmtEngine>(smt_engine(limits)));
  out.push_back(theorem_engine(TheoremForm::Checked, limits));
  return out;
}

// Of those the ones that "all" asks.
bool is_for_all(const Engine& engine) { return engine.name() != kTheorem; }

}  // namespace

std::vector<Engine*> pointers(const Engines& engines) {
  std::vector<Engine*> out;
  for (const auto& engine : engines) out.push_back(engine.get());
  return out;
}

Engines default_engines(const EngineLimits& limits) {
  Engines out;
  out.push_back(std::make_unique<BitmapEngine>(limits.steps));
  out.push_back(std::make_unique<ExactEngine>(exact_limits(limits)));
  return out;
}

Engines quick_engines() {
  constexpr std::size_t kFewSteps = 200'000;
  Engines out = default_engines();
  out.push_back(std::make_unique<RegionEngine>(kFewSteps));
  return out;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> out;
  for (const auto& engine : all_engines({})) out.emplace_back(engine->name());
  out.emplace_back(kAllEngines);
  out.emplace_back(kPlaces);
  return out;
}

Engines engines_called(std::string_view name, const EngineLimits& limits) {
  if (name == kPlaces) return default_engines(limits);
  Engines out = all_engines(limits);
  if (name == kAllEngines) {
    std::erase_if(out, [](const auto& engine) { return !is_for_all(*engine); });
    return out;
  }
  const auto chosen = std::find_if(out.begin(), out.end(),
                                   [&](const auto& engine) { return engine->name() == name; });
  PET_CHECK(chosen != out.end(), "engines are asked by their names");
  std::swap(*chosen, out.front());
  std::erase_if(out, [&](const auto& engine) {
    return engine != out.front() && engine->name() != BitmapEngine::kName;
  });
  return out;
}

Engines theorem_as_published(const EngineLimits& limits) {
  Engines out;
  out.push_back(theorem_engine(TheoremForm::AsPublished, limits));
  return out;
}

}  // namespace pet
