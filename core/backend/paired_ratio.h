// What interleaved samples of two programs say about their ratio, without assuming anything about
// the noise.
//
// Each round runs both programs in an order drawn by a fair coin. If there is no difference between
// them, the sign of log(a/b) in a round is a fair coin too, whatever the machine does: drift, heavy
// tails and the cost of going first fall on either with the same chance. So the bounds are order
// statistics of the log ratios (the inverted sign test), whose error is a binomial tail and exact
// at any number of samples.
//
// Looking at the data again and again and stopping when they please would spoil that: every look
// has its own chance of a false alarm. SequentialComparison looks at most kLooks times, at numbers
// of rounds fixed beforehand, and spends an equal share of the permitted error at each: the chance
// that equal programs are ever called faster, or ever slower, stays below `alpha`. Giving up early
// needs no such care, since a tie keeps the original: `futility_alpha` only costs power.
//
// Where time runs out first, finish() looks once more and spends all that is left. When that is
// depends on how long rounds take, and for equal programs that says nothing about their signs.
#pragma once

#include <cstddef>
#include <span>

#include "core/backend/profiler.h"

namespace pet {

struct RatioRule {
  double min_gain = 1.01;        // a candidate must be faster than this
  double alpha = 0.003;          // chance that one that is not is called faster, over all looks
  double futility_alpha = 0.02;  // chance, a look, to give up on one that is
  // Rounds before anybody looks. The first look should be able to decide at its share of the error:
  // 2^-12 < 0.003/9.
  std::size_t first_look = 12;
};

// The median of a/b and its bounds, each of which fails with probability at most alpha. With too
// few rounds for a bound at that level it is 0 or infinite. REQUIRES: as many a_ms as b_ms, at
// least one, all positive and finite.
Ratio paired_ratio(const PairTiming& timing, double alpha = 0.003);

class SequentialComparison {
 public:
  static constexpr std::size_t kLooks = 9;

  explicit SequentialComparison(const RatioRule& rule) : rule_(rule) {}

  // How many rounds the next look needs beyond those that were added; 0 when nothing is left to
  // look at.
  std::size_t rounds_wanted() const;
  // Adds rounds, and looks when a look is due.
  void add(const PairTiming& timing);
  void finish();  // no more rounds will come

  bool is_finished() const { return rounds_wanted() == 0; }
  Decision decision() const { return decision_; }
  const PairTiming& timing() const { return timing_; }
  Ratio ratio() const { return paired_ratio(timing_, rule_.alpha); }  // REQUIRES: rounds were added

 private:
  void look(double alpha);

  RatioRule rule_;
  PairTiming timing_;
  std::size_t looks_ = 0;
  Decision decision_ = Decision::Undecided;
};

}  // namespace pet
