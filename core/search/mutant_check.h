// Where a mutant is wrong, as far as the search has to know before it builds on it. The same answer
// each time.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/program/equivalence.h"
#include "core/search/search_config.h"

namespace pet {

struct Checked {
  Outcome outcome = Outcome::Unknown;  // Unknown where it was stopped
  std::optional<Region> wrong;         // of the only output; nothing where there are several
  // At every position; else of the channels that a weight carries at one of each.
  bool everywhere = true;
  double log2_error = 0;  // of a wrong "equal" anywhere; no promise unless everywhere
  std::string reason;

  double wrong_share() const;  // of the output
};

class MutantCheck {
 public:
  // REQUIRES: all outlive this
  MutantCheck(const SearchConfig& config, EquivalenceChecker& checker, std::stop_token stop)
      : config_(config), checker_(checker), stop_(std::move(stop)) {}

  // Not everywhere where that is faster.
  Checked thinly(const Graph& original, const Graph& mutant) const;
  // Of what was seen to be wrong somewhere: nothing that was not drawn makes it equal.
  Checked in_part(const Graph& original, const Graph& mutant) const;
  Checked everywhere(const Graph& original, const Graph& mutant) const;

 private:
  const SearchConfig& config_;
  EquivalenceChecker& checker_;
  std::stop_token stop_;
};

}  // namespace pet
