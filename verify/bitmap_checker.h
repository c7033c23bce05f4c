// The engine on which final acceptance rests (theory: section 6, engine 1): both programs evaluated
// at every output position modulo random primes. Non-linear operators are keyed hashes of their
// arguments. The bitmap is the answer; boxes are only how it is told.
#pragma once

#include "core/program/equivalence.h"

namespace pet {

class BitmapChecker final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "bitmap"; }
  bool sees_rounding() const override { return true; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;
};

}  // namespace pet
