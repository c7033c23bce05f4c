// The checker on which final acceptance rests: the bitmap engine's word over the reals, and what
// floats may make of it.
#pragma once

#include "verify/bitmap/bitmap_engine.h"

namespace pet {

class BitmapChecker final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return engine_.name(); }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

 private:
  BitmapEngine engine_;
};

}  // namespace pet
