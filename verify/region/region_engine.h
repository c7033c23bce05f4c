// The region engine (theory: section 6, engine 2; PET's corrector, section 5.1, made right): where
// two programs are equal, box by box in digits, by canonical term lists and without evaluating
// anything. "Equal" has no probability here. Linear operators only: what an element function yields
// is a free variable, the same in both programs where both compute it alike. It says what holds
// over the reals and leaves rounding to others.
#pragma once

#include "verify/verdict/engine.h"

namespace pet {

class RegionEngine final : public Engine {
 public:
  static constexpr std::size_t kMostSteps = 4'000'000;  // of writing both out: some seconds
  explicit RegionEngine(std::size_t most_steps = kMostSteps) : most_steps_(most_steps) {}

  std::string_view name() const override { return "region"; }
  // Beyond a limit, or where it does not know: unknown, with the reason.
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

 private:
  std::size_t most_steps_;
};

// By output: where equality was not shown, without looking for witnesses. An Error where that is
// beyond the engine, or takes more steps of writing out.
Result<std::vector<Region>> not_shown_equal(const Graph& original, const Graph& mutant,
                                            const ProofOptions& options,
                                            std::size_t most_steps = RegionEngine::kMostSteps);

}  // namespace pet
