// Which sizes of a rule are looked at. Draws alone leave gaps where a rule may be right, or wrong,
// and nowhere else: what they would seldom hit is looked for on purpose.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/rewrite/draw.h"
#include "verify/rules/find_condition.h"

namespace pet::rules {

class SampleSizes {
 public:
  // False: nothing more can be found out.
  using Look = std::function<bool(const Instance&)>;

  // Over so many samples, conditions included, the error is shared out.
  static constexpr std::size_t kMostSamples = 4096;
  static constexpr std::size_t kForConditions = 400;  // of these

  // REQUIRES: all outlive this; `seen` has what was looked at, as it is looked at.
  SampleSizes(const Rule& rule, Rng& rng, const std::vector<Sample>& seen, std::stop_token stop)
      : rule_(rule), rng_(rng), seen_(seen), stop_(std::move(stop)) {}

  // Everything that is looked at before there is a condition.
  Status look_at_all(const Look& look);

  // Sizes at which the facts hold, if there are such.
  Result<Instance> drawn(std::span<const SizeFact> facts = {});

  // Where a condition holds and where all but one of its atoms do, each time with other values of
  // what it speaks of, and with every choice of groups that was seen: what draws seldom meet is
  // where a condition that was found by chance fails.
  Status look_around(const Condition& condition, const Look& look);

  // What a condition says of sizes of inputs by themselves, and beside these numbers of groups.
  std::vector<SizeFact> facts_of(const Condition& condition,
                                 std::span<const Dim> groups = {}) const;

  // Why what was looked at may not be all that matters; empty: nothing speaks for it.
  std::string left_out() const;

 private:
  using Facts = std::vector<SizeFact>;
  using Places = std::map<std::size_t, Dim>;  // of last windows, by size: its rest by the period

  Status look_at_given(const Look& look);
  Status look_at_draws(const Look& look);
  Status look_at_plain_sizes(const Look& look);
  Status look_at_equal_sizes(const Look& look);
  Status look_at_groups(const Look& look);
  Status look_at_choice(std::span<const Dim> groups, const Look& look);
  Status look_at_facts(const Look& look);
  Status look_at_periods(const Look& look);
  Status look_at_places(const Look& look);
  Status look_at_places(const Places& places, const Look& look);
  Status look_at_refused(const Look& look);
  // So often at sizes as they are wished for, as long as there are such.
  Status look_at(const Wish& wish, std::size_t times, const Look& look);
  // Keeps what was refused on the way.
  Result<std::optional<Instance>> draw_one(const Wish& wish);

  std::vector<Dim> numbers_of_groups() const;
  std::vector<Facts> facts_of_sizes() const;
  std::size_t seen_at(const Facts& facts) const;
  int attempts_at(const Facts& facts) const;
  std::vector<std::vector<Dim>> groups_seen() const;
  std::vector<Places> combinations(std::span<const std::size_t> of);
  bool are_there(const Places& places, const std::vector<Quantity>& quantities) const;
  bool is_seen(const Places& places) const;
  bool are_twos_seen(const Places& places) const;
  std::size_t sizes() const;  // of all inputs
  bool is_over() const { return over_ || seen_.size() + kForConditions >= kMostSamples; }

  const Rule& rule_;
  Rng& rng_;
  const std::vector<Sample>& seen_;
  std::stop_token stop_;
  bool over_ = false;
  // As the first draw found them.
  std::size_t convolutions_ = 0;
  std::vector<Dim> merged_;  // so many groups become one
  std::map<std::size_t, Dim> periods_;
  // The largest of each size at which there were too many elements to look at.
  std::vector<Dim> refused_;
  bool has_size_too_large_ = false;
  bool has_missed_places_ = false;
};

}  // namespace pet::rules
