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
  enum class By {
    Sample,   // evaluated; of the channels that a weight carries at one of each
    Regions,  // every position, over the reals; what rounding does was not looked at
    Bitmap,   // evaluated at every position; rounding was looked at where that was asked for
  } by = By::Bitmap;
  double log2_error = 0;  // of a wrong "equal" anywhere; of a sample no promise
  std::string reason;

  bool everywhere() const { return by != By::Sample; }
  double wrong_share() const;  // of the output
};

class MutantCheck {
 public:
  // REQUIRES: all outlive this
  MutantCheck(const SearchConfig& config, EquivalenceChecker& checker, std::stop_token stop)
      : config_(config), checker_(checker), stop_(std::move(stop)) {}

  // In the cheapest way: by regions, else by a sample, else everywhere.
  Checked thinly(const Graph& original, const Graph& mutant) const;
  // Of what was seen to be wrong somewhere: nothing that was not drawn makes it equal.
  Checked in_part(const Graph& original, const Graph& mutant) const;
  // What is to be used is asked of floats, too, as the written file will be.
  Checked everywhere(const Graph& original, const Graph& mutant,
                     Floats floats = Floats::None) const;

 private:
  std::optional<Checked> by_regions(const Graph& original, const Graph& mutant) const;
  std::optional<Checked> by_sample(const Graph& original, const Graph& mutant) const;

  const SearchConfig& config_;
  EquivalenceChecker& checker_;
  std::stop_token stop_;
};

}  // namespace pet
