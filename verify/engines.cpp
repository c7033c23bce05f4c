#include "verify/engines.h"

#include <algorithm>

#include "core/util/check.h"
#include "verify/bitmap/bitmap_checker.h"
#include "verify/exact/exact_checker.h"
#include "verify/region/region_checker.h"
#include "verify/smt/smt_checker.h"
#include "verify/theorem/theorem_checker.h"

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

SmtChecker smt_checker(const EngineLimits& limits) {
  // What it does with products of variables it does not always count: then a clock ends it.
  constexpr std::chrono::minutes kLong{1};
  if (!limits.steps) return SmtChecker();
  return SmtChecker(kLong, {.steps = limits.steps});
}

std::unique_ptr<EquivalenceChecker> theorem_checker(TheoremForm form, const EngineLimits& limits) {
  return std::make_unique<TheoremChecker>(form, limits.steps.value_or(TheoremChecker::kMostSteps));
}

// Every engine that there is.
Engines all_engines(const EngineLimits& limits) {
  Engines out = default_engines(limits);
  out.push_back(std::make_unique<RegionChecker>(limits.steps.value_or(RegionChecker::kMostSteps)));
  out.push_back(std::make_unique<SmtChecker>(smt_checker(limits)));
  out.push_back(theorem_checker(TheoremForm::Checked, limits));
  return out;
}

// Of those the ones that "all" asks.
bool is_for_all(const EquivalenceChecker& engine) { return engine.name() != kTheorem; }

}  // namespace

std::vector<EquivalenceChecker*> pointers(const Engines& engines) {
  std::vector<EquivalenceChecker*> out;
  for (const auto& engine : engines) out.push_back(engine.get());
  return out;
}

Engines default_engines(const EngineLimits& limits) {
  Engines out;
  out.push_back(std::make_unique<BitmapChecker>(limits.steps));
  out.push_back(std::make_unique<ExactChecker>(exact_limits(limits)));
  return out;
}

Engines quick_engines() {
  constexpr std::size_t kFewSteps = 200'000;
  Engines out = default_engines();
  out.push_back(std::make_unique<RegionChecker>(kFewSteps));
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
  std::erase_if(
      out, [&](const auto& engine) { return engine != out.front() && !engine->sees_rounding(); });
  return out;
}

Engines theorem_as_published(const EngineLimits& limits) {
  Engines out;
  out.push_back(theorem_checker(TheoremForm::AsPublished, limits));
  return out;
}

}  // namespace pet
