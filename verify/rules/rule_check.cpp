#include "verify/rules/rule_check.h"

#include <algorithm>
#include <cmath>

#include "core/util/digest.h"
#include "verify/all_sizes/prove.h"
#include "verify/pairs/pair_proof.h"
#include "verify/rules/rule_family.h"
#include "verify/rules/sample_sizes.h"

namespace pet::rules {
namespace {

constexpr std::size_t kMoreDraws = 24;  // for each condition that is put to the test
constexpr std::size_t kEachSide = 6;    // samples on which a condition has to prove right, afresh

class RuleCheck {
 public:
  RuleCheck(const Rule& rule, std::span<Engine* const> engines, const ProofOptions& options,
            std::uint64_t seed)
      : rule_(rule),
        engines_(engines),
        options_(options),
        rng_(Digester("rule sizes").add(rule.id).add(seed).finish().word()),
        sizes_(rule, rng_, samples_, options.stop) {
    // What a rule has of constants it means as they are; its weights are inputs.
    options_.bind_weights = true;
    options_.log2_error -= std::log2(static_cast<double>(SampleSizes::kMostSamples));
  }

  Result<RuleVerdict> run() {
    const auto look = [this](const Instance& instance) { return this->look(instance); };
    if (!rule_.condition.empty()) return under_given(look);
    if (auto done = sizes_.look_at_all(look); !done) return std::move(done).error();
    most_samples_ =
        std::min(samples_.size() + SampleSizes::kForConditions, SampleSizes::kMostSamples);
    while (!decided_ && !samples_.empty()) {
      if (all(true)) return equivalent();
      if (all(false)) return ended(RuleOutcome::Different);
      const auto condition = find_condition(samples_, options_.stop);
      if (!condition || samples_.size() >= most_samples_) {
        verdict_.reason = "right at some sizes and wrong at others; no condition was found";
        return ended(RuleOutcome::Unknown);
      }
      auto holds = stands(*condition);
      if (!holds) return std::move(holds).error();
      if (*holds) {
        verdict_.condition = *condition;
        verdict_.quantities = samples_.front().quantities;
        return ended(RuleOutcome::Conditional);
      }
    }
    return std::move(verdict_);
  }

 private:
  RuleVerdict ended(RuleOutcome outcome) {
    verdict_.outcome = outcome;
    return std::move(verdict_);
  }

  // A rule that names its condition is looked at where that holds; where else it is right does not
  // matter.
  Result<RuleVerdict> under_given(const SampleSizes::Look& look) {
    const auto first = sizes_.drawn();
    if (!first) return first.error();
    auto condition = parse_condition(rule_.condition, first->quantities);
    if (!condition) return std::move(condition).error();
    verdict_.condition = *std::move(condition);
    verdict_.quantities = first->quantities;
    const auto look_where_it_holds = [&](const Instance& instance) {
      return !verdict_.condition.holds(instance.quantities) || look(instance);
    };
    if (auto done = sizes_.look_at_all(look_where_it_holds); !done) return std::move(done).error();
    for (std::size_t i = 0; i < kMoreDraws && !decided_ && !samples_.empty(); ++i) {
      const auto more = sizes_.drawn(sizes_.facts_of(verdict_.condition));
      if (!more) return more.error();
      look_where_it_holds(*more);
    }
    if (decided_) return std::move(verdict_);
    if (samples_.size() < kEachSide) {
      verdict_.reason = "too few sizes were found at which its condition holds";
      return ended(RuleOutcome::Unknown);
    }
    if (!all(true)) {
      verdict_.reason = "it is wrong at sizes at which its condition holds";
      return ended(RuleOutcome::Different);
    }
    verdict_.reason = sizes_.left_out();
    return ended(verdict_.reason.empty() ? RuleOutcome::Conditional : RuleOutcome::Unknown);
  }

  // What the engines said of some sizes they may be able to say of all.
  RuleVerdict equivalent() {
    const auto proved = at_all_sizes();
    verdict_.all_sizes = proved.ok();
    if (const std::string left_out = sizes_.left_out(); !proved && !left_out.empty()) {
      verdict_.reason = "right wherever it was looked at, but " + left_out;
      return ended(RuleOutcome::Unknown);
    }
    if (!proved) verdict_.only_tried = proved.error().message;
    return ended(RuleOutcome::Equivalent);
  }

  Status at_all_sizes() const {
    if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const auto family = family_of(rule_);
    if (!family) return family.error();
    const auto pair = all_sizes::sized_pair(*family, all_sizes::Constants::Numbers);
    if (!pair) return pair.error();
    return all_sizes::prove_for_all_sizes(*family, *pair, {.stop = options_.stop});
  }

  bool all(bool right) const {
    for (const Sample& sample : samples_) {
      if (sample.right != right) return false;
    }
    return true;
  }

  // False: nothing more can be found out.
  bool look(const Instance& instance) {
    const Verdict verdict = prove_pair(instance.source, instance.target, engines_, options_);
    verdict_.tried.push_back({instance.shapes, verdict.outcome});
    switch (verdict.outcome) {
      case Outcome::Equivalent:
        add_error(verdict.log2_error);
        samples_.push_back({instance.quantities, true});
        return true;
      case Outcome::Partial:
      case Outcome::Different:
      case Outcome::ShapeMismatch:
        samples_.push_back({instance.quantities, false});
        return true;
      default:
        decided_ = true;
        verdict_.outcome = RuleOutcome::Unknown;
        verdict_.reason = verdict.reason;
        verdict_.engines_disagree = verdict.engines_disagree;
        return false;
    }
  }

  // The union over all proofs.
  void add_error(double log2_error) {
    sum_ += std::exp2(log2_error);
    verdict_.log2_error = std::log2(sum_);
  }

  // Whether fresh samples on both sides bear the condition out; what they show stays. Draws alone
  // would seldom meet a condition that says much of the sizes: every second one is made to.
  Result<bool> stands(const Condition& condition) {
    const std::vector<SizeFact> facts = sizes_.facts_of(condition);
    std::size_t inside = 0;
    std::size_t outside = 0;
    const auto bears_out = [&](const Instance& instance) {
      const bool holds = condition.holds(instance.quantities);
      if (!look(instance) || samples_.back().right != holds) return false;
      ++(holds ? inside : outside);
      return true;
    };
    std::size_t draws = 0;
    for (; draws < kMoreDraws ||
           ((inside < kEachSide || outside < kEachSide) && samples_.size() < most_samples_);
         ++draws) {
      const auto instance = draws % 2 == 0 ? sizes_.drawn() : sizes_.drawn(facts);
      if (!instance) return instance.error();
      if (!bears_out(*instance)) return false;
    }
    bool stands = inside >= kEachSide && outside >= kEachSide;
    auto done = sizes_.look_around(condition, [&](const Instance& instance) {
      stands = stands && bears_out(instance);
      return stands;
    });
    if (!done) return std::move(done).error();
    return stands;
  }

  const Rule& rule_;
  std::span<Engine* const> engines_;
  ProofOptions options_;  // of each proof
  Rng rng_;
  RuleVerdict verdict_;
  std::vector<Sample> samples_;
  SampleSizes sizes_;
  std::size_t most_samples_ = 0;  // with those for conditions
  double sum_ = 0;
  bool decided_ = false;
};

}  // namespace

std::string_view to_string(RuleOutcome outcome) {
  switch (outcome) {
    case RuleOutcome::Equivalent:
      return "equivalent";
    case RuleOutcome::Conditional:
      return "conditional";
    case RuleOutcome::Different:
      return "different";
    case RuleOutcome::Unknown:
      return "unknown";
  }
  return "?";
}

std::string condition_of(const RuleVerdict& verdict) {
  return to_string(verdict.condition, verdict.quantities);
}

Result<RuleVerdict> check_rule(const Rule& rule, std::span<Engine* const> engines,
                               const ProofOptions& options, std::uint64_t seed) {
  return RuleCheck(rule, engines, options, seed).run();
}

}  // namespace pet::rules
