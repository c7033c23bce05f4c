// The exact engine (theory: section 6, engine 3), for small shapes: every output element of both
// programs as a polynomial with rational coefficients. No probability anywhere, and nothing shared
// with the bitmap engine but the programs: the ground truth that it is fuzzed against. It says what
// holds over the reals and leaves rounding to others.
#pragma once

#include "verify/exact/exact_values.h"
#include "verify/verdict/engine.h"

namespace pet {

class ExactEngine final : public Engine {
 public:
  explicit ExactEngine(ExactLimits limits = {}) : limits_(limits) {}

  std::string_view name() const override { return "exact"; }
  // Beyond a limit: unknown, with the reason.
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

 private:
  ExactLimits limits_;
};

}  // namespace pet
