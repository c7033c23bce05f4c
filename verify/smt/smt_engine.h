// The solver (theory: section 6, engine 4): Z3 in a process of its own is asked, element by element
// at small shapes, whether two programs can differ over the reals. It shares nothing with the other
// engines but the programs, and leaves rounding to them. No answer in time: unknown.
#pragma once

#include <chrono>

#include "verify/smt/script.h"
#include "verify/verdict/engine.h"

namespace pet {

class SmtEngine final : public Engine {
 public:
  explicit SmtEngine(std::chrono::milliseconds time = std::chrono::seconds(10),
                     smt::Limits limits = {}, std::string solver = "z3")
      : time_(time), limits_(limits), solver_(std::move(solver)) {}

  std::string_view name() const override { return "smt"; }
  // Beyond a limit, after the time, or where there is no solver: unknown, with the reason. With a
  // limit of steps the time should be long: Z3 counts what it does (its `rlimit`), and the sum ends
  // it.
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override;

 private:
  std::chrono::milliseconds time_;  // of all questions about a pair
  smt::Limits limits_;
  std::string solver_;  // looked up in PATH
};

}  // namespace pet
