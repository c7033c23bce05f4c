// Which sizes of a rule are looked at. Draws alone leave gaps where a rule may be right, or wrong,
// and nowhere else: what they would seldom hit is looked for on purpose.
#pragma once

#include <functional>

#include "verify/rules/condition.h"

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

  // What a condition says of sizes of inputs by themselves.
  std::vector<SizeFact> facts_of(const Condition& condition) const;

  // Of what no choice of groups was left out.
  bool has_every_choice_of_groups() const;

 private:
  using Facts = std::vector<SizeFact>;

  Status look_at_given(const Look& look);
  Status look_at_draws(const Look& look);
  Status look_at_plain_sizes(const Look& look);
  Status look_at_equal_sizes(const Look& look);
  Status look_at_groups(const Look& look);
  Status look_at_choice(std::span<const Dim> groups, const Look& look);
  Status look_at_facts(const Look& look);
  Status look_at_periods(const Look& look);
  // So often at sizes as they are wished for, as long as there are such.
  Status look_at(const Wish& wish, std::size_t times, const Look& look);

  std::vector<Dim> numbers_of_groups() const;
  std::vector<Facts> facts_of_sizes() const;
  std::size_t seen_at(const Facts& facts) const;
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
};

}  // namespace pet::rules
