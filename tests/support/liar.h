// An engine that is wrong: what the others must notice.
#pragma once

#include "verify/verdict/engine.h"

namespace pet::test {

// Calls everything different.
class Liar final : public Engine {
 public:
  std::string_view name() const override { return "liar"; }
  Verdict check(const Graph&, const Graph&, const ProofOptions&) override {
    Verdict verdict;
    verdict.outcome = Outcome::Different;
    return verdict;
  }
};

}  // namespace pet::test
