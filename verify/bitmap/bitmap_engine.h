// The engine on which final acceptance rests (theory: section 6, engine 1): both programs evaluated
// at every output position modulo random primes. Non-linear operators are keyed hashes of their
// arguments. The bitmap is the answer; boxes are only how it is told.
#pragma once

#include <optional>

#include "verify/verdict/engine.h"

namespace pet {

class BitmapEngine final : public Engine {
 public:
  static constexpr std::string_view kName = "bitmap";
  // Evaluating both programs that takes more steps than that is not begun: unknown.
  explicit BitmapEngine(std::optional<std::size_t> most_steps = std::nullopt)
      : most_steps_(most_steps) {}

  std::string_view name() const override { return kName; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return ask(original, mutant, options).verdict;
  }
  EngineWord ask(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

  // What a test that found two programs equal would have written down, from the original alone.
  // REQUIRES: the two are known to be equal at all outputs; options.record_test
  static Result<TestRecord> record(const Graph& original, const Graph& mutant,
                                   const ProofOptions& options);

 private:
  std::optional<std::size_t> most_steps_;
};

}  // namespace pet
