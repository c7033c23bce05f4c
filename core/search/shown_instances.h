// Instances of rules, each shown equal once before it enters a program: what was verified at small
// sizes is looked at again at the very shapes where it is used.
#pragma once

#include <map>
#include <optional>
#include <stop_token>

#include "core/program/equivalence.h"
#include "core/rewrite/rewriter.h"

namespace pet {

class ShownInstances {
 public:
  ShownInstances(EquivalenceChecker& checker, double log2_error, std::size_t threads,
                 std::stop_token stop)
      : checker_(checker), log2_error_(log2_error), threads_(threads), stop_(std::move(stop)) {}

  struct Look {
    bool is_equal = false;
    bool is_new = false;  // it was not known before
    Verdict verdict;      // where it is new
  };
  // Nothing: a stop cut it short.
  std::optional<Look> look(const rules::Use& use, const rules::Instance& instance);

 private:
  Verdict checked(const rules::Instance& instance);

  EquivalenceChecker& checker_;
  const double log2_error_;
  const std::size_t threads_;
  const std::stop_token stop_;
  std::map<rules::Use, bool> known_;
};

}  // namespace pet
