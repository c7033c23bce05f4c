#include "verify/rules/rule_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/util/digest.h"
#include "verify/all_sizes/prove.h"
#include "verify/consensus.h"

namespace pet::rules {
namespace {

constexpr std::size_t kFirstDraws = 24;
constexpr Dim kMostGroups = 3;         // each number of groups of each convolution is tried
constexpr std::size_t kMostAlike = 2;  // times with the same groups
constexpr std::size_t kMostConvolutions = 5;
constexpr int kAttempts = 200;              // to find sizes for given groups
constexpr std::size_t kSeenOften = 2;       // a fact about sizes that holds at so many samples
constexpr int kAttemptsAtFacts = 50;        // to find sizes at which others hold
constexpr std::size_t kMostFacts = 600;     // published rules have 16 sizes at most
constexpr std::size_t kMoreDraws = 24;      // for each condition that is put to the test
constexpr std::size_t kMostDraws = 400;     // for all conditions
constexpr std::size_t kMostSamples = 4096;  // of all, over which the error is shared out
constexpr std::size_t kEachSide = 6;  // samples on which a condition has to prove right, afresh

class RuleCheck {
 public:
  RuleCheck(const Rule& rule, std::span<EquivalenceChecker* const> engines,
            const ProofOptions& options, std::uint64_t seed)
      : rule_(rule),
        engines_(engines),
        options_(options),
        rng_(Digester("rule sizes").add(rule.id).add(seed).finish().word()) {
    // What a rule has of constants it means as they are; its weights are inputs.
    options_.bind_weights = true;
    options_.log2_error -= std::log2(static_cast<double>(kMostSamples));
  }

  Result<RuleVerdict> run() {
    if (!rule_.given_shapes.empty()) {
      // The file's own sizes may leave no choice of groups that fits; the others do.
      const auto first = draw(rule_, rng_, {.given = true, .stop = options_.stop});
      if (!first) return first.error();
      if (*first && !look(**first)) return std::move(verdict_);
    }
    if (auto done = look_at(kFirstDraws); !done) return std::move(done).error();
    if (auto done = look_at_groups(); !done) return std::move(done).error();
    if (auto done = look_at_facts(); !done) return std::move(done).error();
    if (auto done = look_at_periods(); !done) return std::move(done).error();
    most_samples_ = std::min(samples_.size() + kMostDraws, kMostSamples);
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
        verdict_.condition = to_string(*condition, samples_.front().quantities);
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

  // What the engines said of some sizes they may be able to say of all.
  RuleVerdict equivalent() {
    const auto proved = at_all_sizes();
    verdict_.all_sizes = proved.ok();
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

  Status look_at(std::size_t draws) {
    for (std::size_t i = 0; i < draws && !decided_; ++i) {
      const auto instance = drawn();
      if (!instance) return instance.error();
      convolutions_ = instance->convolutions;
      periods_ = instance->periods;
      look(*instance);
    }
    return Done{};
  }

  Result<Instance> drawn(std::span<const SizeFact> facts = {}) {
    auto found = draw(rule_, rng_, {.facts = facts, .stop = options_.stop});
    if (!found) return std::move(found).error();
    if (*found) return *std::move(*found);
    if (!facts.empty()) return drawn();
    return Error{"no sizes were found at which both programs make sense", ErrorKind::Tool};
  }

  // Rules are often right for one group and forget the others, which few draws would hit: every
  // choice of groups that makes sense is looked at.
  Status look_at_groups() {
    std::vector<Dim> groups(std::min(convolutions_, kMostConvolutions), 1);
    const Wish wish{.given = false, .groups = groups, .attempts = kAttempts, .stop = options_.stop};
    while (!groups.empty() && !decided_) {
      for (std::size_t i = 0; i < kMostAlike && !decided_; ++i) {
        const auto found = draw(rule_, rng_, wish);
        if (!found) return found.error();
        if (!*found) break;
        look(**found);
      }
      std::size_t k = groups.size();
      while (k > 0 && ++groups[k - 1] > kMostGroups) groups[--k] = 1;
      if (k == 0) break;
    }
    return Done{};
  }

  // Where windows stride, every place of the last one is looked at.
  Status look_at_periods() {
    for (const auto& [size, period] : periods_) {
      // How far each last stride reaches is drawn on both sides, and has to fit.
      const int attempts = std::max(kAttempts, 20 * static_cast<int>(period * period));
      for (Dim number = 1; number <= 2 * period; ++number) {
        const std::vector<SizeFact> facts = {{size, std::nullopt, number}};
        if (decided_ || is_full() || seen_at(facts) > 0) continue;
        const auto found =
            draw(rule_, rng_, {.facts = facts, .attempts = attempts, .stop = options_.stop});
        if (!found) return found.error();
        if (*found) look(**found);
      }
    }
    return Done{};
  }

  // Nor do draws hit every size that is 1 or the same as another, where a rule may be right, or
  // wrong, and nowhere else.
  Status look_at_facts() {
    for (const auto& facts : facts_of_sizes()) {
      for (std::size_t seen = seen_at(facts); seen < kSeenOften && !decided_ && !is_full();
           ++seen) {
        const auto found = draw(
            rule_, rng_, {.facts = facts, .attempts = kAttemptsAtFacts, .stop = options_.stop});
        if (!found) return found.error();
        if (!*found) break;
        look(**found);
      }
    }
    return Done{};
  }

  // Each size 1, then each two alike and each two 1; not all of them where there are too many.
  std::vector<std::vector<SizeFact>> facts_of_sizes() const {
    std::vector<std::vector<SizeFact>> out;
    for (std::size_t a = 0; a < sizes(); ++a) out.push_back({{a}});
    for (std::size_t a = 0; a < sizes(); ++a) {
      for (std::size_t b = a + 1; b < sizes() && out.size() < kMostFacts; ++b) {
        out.push_back({{a, b}});
        out.push_back({{a}, {b}});
      }
    }
    return out;
  }

  std::size_t seen_at(const std::vector<SizeFact>& facts) const {
    const auto hold = [&](const Sample& sample) {
      const auto all = std::span(sample.quantities).last(sizes());
      return std::all_of(facts.begin(), facts.end(), [&](const SizeFact& fact) {
        return all[fact.size].value == (fact.same_as ? all[*fact.same_as].value : fact.number);
      });
    };
    return static_cast<std::size_t>(std::count_if(samples_.begin(), samples_.end(), hold));
  }

  // What is left is for conditions.
  bool is_full() const { return samples_.size() + kMostDraws >= kMostSamples; }

  // Of all inputs.
  std::size_t sizes() const {
    const auto more = [](std::size_t sum, const RuleInput& input) { return sum + input.rank; };
    return std::accumulate(rule_.inputs.begin(), rule_.inputs.end(), std::size_t{0}, more);
  }

  // False: nothing more can be found out.
  bool look(const Instance& instance) {
    const Verdict verdict = consensus(instance.source, instance.target, engines_, options_);
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
    const std::vector<SizeFact> facts = facts_of(condition);
    std::size_t inside = 0;
    std::size_t outside = 0;
    std::size_t draws = 0;
    for (; draws < kMoreDraws ||
           ((inside < kEachSide || outside < kEachSide) && samples_.size() < most_samples_);
         ++draws) {
      const auto instance = draws % 2 == 0 ? drawn() : drawn(facts);
      if (!instance) return instance.error();
      const bool holds = condition.holds(instance->quantities);
      if (!look(*instance)) return false;
      if (samples_.back().right != holds) return false;
      ++(holds ? inside : outside);
    }
    return inside >= kEachSide && outside >= kEachSide;
  }

  // What the condition says of sizes of inputs by themselves, which are the last quantities.
  std::vector<SizeFact> facts_of(const Condition& condition) const {
    const std::size_t others = samples_.front().quantities.size() - sizes();
    std::vector<SizeFact> out;
    for (const Atom& atom : condition.atoms) {
      const bool of_one = atom.kind == Atom::Kind::IsOne;
      if (atom.a < others || (!of_one && (atom.kind != Atom::Kind::Equal || atom.b < others)))
        continue;
      out.push_back({atom.a - others, of_one ? std::nullopt : std::optional(atom.b - others), 1});
    }
    return out;
  }

  const Rule& rule_;
  std::span<EquivalenceChecker* const> engines_;
  ProofOptions options_;  // of each proof
  Rng rng_;
  RuleVerdict verdict_;
  std::vector<Sample> samples_;
  std::size_t most_samples_ = 0;  // with those for conditions
  std::size_t convolutions_ = 0;
  std::map<std::size_t, Dim> periods_;
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

Result<RuleVerdict> check_rule(const Rule& rule, std::span<EquivalenceChecker* const> engines,
                               const ProofOptions& options, std::uint64_t seed) {
  return RuleCheck(rule, engines, options, seed).run();
}

}  // namespace pet::rules
