// PET's own corrector (OSDI'21, section 5): box by box, at m + 1 positions, on random inputs in a
// prime field; equal where all tested positions agree. Multi-linear programs only. It says what
// holds over the reals and leaves rounding to others.
#pragma once

#include "verify/verdict/engine.h"

namespace pet {

// Checked: what the two theorems presuppose is looked at, and where it does not hold nothing is
// said. AsPublished: boxes, positions, field and error as the paper has them, and nothing else:
// what it says is no evidence of anything, which is why it has a name of its own.
enum class TheoremForm { Checked, AsPublished };

class TheoremEngine final : public Engine {
 public:
  static constexpr std::size_t kMostSteps = 16'000'000;  // some seconds, half a gigabyte
  explicit TheoremEngine(TheoremForm form = TheoremForm::Checked,
                         std::size_t most_steps = kMostSteps)
      : form_(form), most_steps_(most_steps) {}

  std::string_view name() const override;
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

 private:
  TheoremForm form_;
  std::size_t most_steps_;
};

}  // namespace pet
