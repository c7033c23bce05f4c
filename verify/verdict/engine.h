// An engine: one way to find out where two programs are equal over the reals, wherever the original
// is defined. What floats make of that no engine is asked (verify/objections).
#pragma once

#include <memory>
#include <string_view>

#include "core/program/equivalence.h"

namespace pet {

class Compared;  // verify/bitmap/compared.h

struct EngineWord {
  Verdict verdict;
  // The values of both programs that the verdict rests on, where it calls anything equal and the
  // engine knows them: whoever asks of floats goes by these. Refers to both programs.
  std::shared_ptr<Compared> compared;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // Inputs are matched by name, outputs by position. Polls options.stop.
  virtual Verdict check(const Graph& original, const Graph& mutant,
                        const ProofOptions& options) = 0;
  // The same, with what else it knows.
  virtual EngineWord ask(const Graph& original, const Graph& mutant, const ProofOptions& options) {
    return {check(original, mutant, options), nullptr};
  }
};

}  // namespace pet
