// The engine on which final acceptance rests (theory: section 6, engine 1): both programs evaluated
// at every output position modulo random primes. Non-linear operators are keyed hashes of their
// arguments. The bitmap is the answer; boxes are only how it is told.
#pragma once

#include <optional>

#include "core/program/equivalence.h"

namespace pet {

class BitmapChecker final : public EquivalenceChecker {
 public:
  // Evaluating both programs that takes more steps than that is not begun: unknown.
  explicit BitmapChecker(std::optional<std::size_t> most_steps = std::nullopt)
      : most_steps_(most_steps) {}

  std::string_view name() const override { return "bitmap"; }
  bool sees_rounding() const override { return true; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

  // What a test that found two programs equal would have written down, from the original alone.
  // REQUIRES: the two are known to be equal at all outputs; options.record_test
  static Result<TestRecord> record(const Graph& original, const Graph& mutant,
                                   const ProofOptions& options);

 private:
  std::optional<std::size_t> most_steps_;
};

}  // namespace pet
