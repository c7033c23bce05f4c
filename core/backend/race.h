// Several programs that run once each in every round, until it is clear which of them is fastest:
// those that are clearly slower leave early, and the time they would have taken is the others'.
//
// In a round all that still run do so in an order that is drawn. Of any two of them the sign of the
// log ratio is then what it is in rounds of these two alone, whoever else runs between: each pair
// is a SequentialComparison of its own. Who loses one leaves, and who had left before decides
// nothing any more. A program is turned out by one that is not faster with a chance below the
// rule's `alpha` for each that runs beside it. That costs a gain and never claims one: what is
// claimed is measured on samples of its own.
#pragma once

#include <cstddef>
#include <vector>

#include "core/backend/paired_ratio.h"

namespace pet {

// By which a race is decided. Six rounds are enough for the first look, since a place in a race is
// no claim: 2^-6 < 0.15/9.
inline constexpr RatioRule kRaceRule = {
    .min_gain = 1.01, .alpha = 0.15, .futility_alpha = 0.02, .first_look = 6};

class Race {
 public:
  // Runners have numbers; of two that are as fast the one with the higher number leaves.
  explicit Race(std::size_t runners, const RatioRule& rule = kRaceRule);

  // Those that still run, by their numbers, ascending. Never empty.
  const std::vector<std::size_t>& running() const { return running_; }
  // Until the next look at them; 0 when the race is over.
  std::size_t rounds_wanted() const;
  bool is_over() const { return rounds_wanted() == 0; }
  // Times in milliseconds of those that run, in the order of running(), as many of each.
  // REQUIRES: no more rounds than are wanted
  void add(const std::vector<std::vector<double>>& ms);
  void finish();  // no more rounds will come

  // All of them, the fastest first: those that ran longest, by what the rounds say that they have
  // in common.
  std::vector<std::size_t> ranking() const;
  // Of the rounds in which both ran. REQUIRES: a < b
  const SequentialComparison& between(std::size_t a, std::size_t b) const;

 private:
  SequentialComparison& pair(std::size_t a, std::size_t b) { return pairs_[a * ms_.size() + b]; }
  bool runs(std::size_t runner) const;
  void turn_out();

  std::vector<std::size_t> running_;
  std::vector<std::vector<double>> ms_;      // by runner, of the rounds in which it ran
  std::vector<SequentialComparison> pairs_;  // of a < b at a * runners + b
};

}  // namespace pet
