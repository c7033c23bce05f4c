#include "verify/rules/sample_sizes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace pet::rules {
namespace {

constexpr std::size_t kFirstDraws = 64;
constexpr std::size_t kPlainDraws = 12;
constexpr Dim kMostGroups = 3;         // each number of groups of each convolution is tried
constexpr std::size_t kMostAlike = 2;  // times with the same groups
constexpr std::size_t kMostConvolutions = 5;
constexpr int kAttempts = 200;         // to find sizes for given groups
constexpr std::size_t kSeenOften = 2;  // a fact about sizes that holds at so many samples
constexpr int kAttemptsAtFacts = 50;   // to find sizes at which others hold
constexpr Dim kMostAttemptsAtFacts = 4000;
constexpr int kAttemptsToMeet =
    2000;  // to find sizes at which a formula holds that is none of them
constexpr std::size_t kMostPlaces = 256;  // of the last windows along several axes together
constexpr std::size_t kMostAttemptsAtPlaces = 4000;
constexpr std::size_t kMostFacts = 600;  // published rules have 16 sizes at most

}  // namespace

Status SampleSizes::look_at_all(const Look& look) {
  using Step = Status (SampleSizes::*)(const Look&);
  for (const Step step :
       {&SampleSizes::look_at_given, &SampleSizes::look_at_draws, &SampleSizes::look_at_plain_sizes,
        &SampleSizes::look_at_equal_sizes, &SampleSizes::look_at_groups,
        &SampleSizes::look_at_facts, &SampleSizes::look_at_periods, &SampleSizes::look_at_places,
        &SampleSizes::look_at_refused}) {
    if (auto done = (this->*step)(look); !done) return done;
  }
  return Done{};
}

Result<Instance> SampleSizes::drawn(std::span<const SizeFact> facts) {
  auto found = draw_one({.facts = facts, .stop = stop_});
  if (!found) return std::move(found).error();
  if (*found) return *std::move(*found);
  if (!facts.empty()) return drawn();
  return Error{"no sizes were found at which both programs make sense", ErrorKind::Tool};
}

std::vector<SizeFact> SampleSizes::facts_of(const Condition& condition,
                                            std::span<const Dim> groups) const {
  const std::size_t others = seen_.front().quantities.size() - sizes();
  std::vector<SizeFact> out;
  for (const Atom& atom : condition.atoms) {
    const std::size_t convolution = atom.a / kQuantitiesOfConvolution;
    if (atom.kind == Atom::Kind::Equal && atom.a % kQuantitiesOfConvolution == 0 &&
        convolution < groups.size() && atom.b >= others)
      out.push_back({atom.b - others, std::nullopt, groups[convolution]});
    const bool of_one = atom.kind == Atom::Kind::IsOne;
    if (atom.a < others || (!of_one && (atom.kind != Atom::Kind::Equal || atom.b < others)))
      continue;
    out.push_back({atom.a - others, of_one ? std::nullopt : std::optional(atom.b - others), 1});
  }
  return out;
}

std::string SampleSizes::left_out() const {
  if (convolutions_ > kMostConvolutions)
    return "it has too many convolutions for every choice of their groups";
  if (has_missed_places_)
    return "some combinations of the last places of its windows were never met";
  if (has_size_too_large_) return "at larger sizes it is too large to be looked at";
  return {};
}

Result<std::optional<Instance>> SampleSizes::draw_one(const Wish& wish) {
  auto drawn = draw(rule_, rng_, wish);
  if (!drawn) return std::move(drawn).error();
  if (wish.is_widened && wish.facts.empty() && !drawn->refused.empty()) {
    refused_.resize(drawn->refused.size(), 0);
    for (std::size_t i = 0; i < refused_.size(); ++i)
      refused_[i] = std::max(refused_[i], drawn->refused[i]);
  }
  return std::move(drawn->instance);
}

Status SampleSizes::look_at(const Wish& wish, std::size_t times, const Look& look) {
  for (std::size_t i = 0; i < times && !is_over(); ++i) {
    const auto found = draw_one(wish);
    if (!found) return found.error();
    if (!*found) break;
    over_ = !look(**found);
  }
  return Done{};
}

Status SampleSizes::look_at_given(const Look& look) {
  const auto first = drawn();
  if (!first) return first.error();
  convolutions_ = first->convolutions;
  merged_ = first->merged;
  periods_ = first->periods;
  if (rule_.given_shapes.empty()) return Done{};
  // The file's own sizes may leave no choice of groups that fits; the others do.
  return look_at({.given = true, .stop = stop_}, 1, look);
}

Status SampleSizes::look_at_draws(const Look& look) {
  for (std::size_t i = 0; i < kFirstDraws && !is_over(); ++i) {
    const auto instance = drawn();
    if (!instance) return instance.error();
    over_ = !look(*instance);
  }
  return Done{};
}

// Where windows follow one another sizes are drawn from so far that tensors get too large to be
// looked at, but for some of their sizes.
Status SampleSizes::look_at_plain_sizes(const Look& look) {
  return look_at({.is_widened = false, .attempts = kAttempts, .stop = stop_}, kPlainDraws, look);
}

// All the same, also so large that no window of several that follow one another meets both borders.
Status SampleSizes::look_at_equal_sizes(const Look& look) {
  for (const Dim number : {1, 2, 3, 4, 5, 6, 7, 9}) {
    Facts facts;
    for (std::size_t size = 0; size < sizes(); ++size)
      facts.push_back({size, std::nullopt, number});
    if (facts.empty() || is_over() || seen_at(facts) > 0) continue;
    auto done = look_at({.facts = facts, .attempts = kAttemptsAtFacts, .stop = stop_}, 1, look);
    if (!done) return done;
  }
  return Done{};
}

// So few that all are looked at, and those that merging leaves several of.
std::vector<Dim> SampleSizes::numbers_of_groups() const {
  std::set<Dim> out;
  for (Dim groups = 1; groups <= kMostGroups; ++groups) {
    out.insert(groups);
    for (const Dim merged : merged_) out.insert(groups * merged);
  }
  return {out.begin(), out.end()};
}

// Rules are often right for one group and forget the others, which few draws would hit: every
// choice of groups that makes sense is looked at, and every one where all have the same.
Status SampleSizes::look_at_groups(const Look& look) {
  const auto numbers = numbers_of_groups();
  if (convolutions_ == 0) return Done{};
  if (convolutions_ > kMostConvolutions) {
    for (const Dim groups : numbers) {
      auto done = look_at_choice(std::vector<Dim>(convolutions_, groups), look);
      if (!done) return done;
    }
  }
  std::vector<std::size_t> choice(std::min(convolutions_, kMostConvolutions), 0);
  while (!is_over()) {
    std::vector<Dim> groups;
    for (const std::size_t which : choice) groups.push_back(numbers[which]);
    if (auto done = look_at_choice(groups, look); !done) return done;
    std::size_t k = choice.size();
    while (k > 0 && ++choice[k - 1] == numbers.size()) choice[--k] = 0;
    if (k == 0) break;
  }
  return Done{};
}

Status SampleSizes::look_at_choice(std::span<const Dim> groups, const Look& look) {
  return look_at({.groups = groups, .attempts = kAttempts, .stop = stop_}, kMostAlike, look);
}

// Nor do draws hit every size that is 1 or the same as another.
Status SampleSizes::look_at_facts(const Look& look) {
  for (const Facts& facts : facts_of_sizes()) {
    const std::size_t missing = kSeenOften - std::min(kSeenOften, seen_at(facts));
    auto done =
        look_at({.facts = facts, .attempts = attempts_at(facts), .stop = stop_}, missing, look);
    if (!done) return done;
  }
  return Done{};
}

// How far each last stride reaches is drawn, and has to fit the sizes that are asked for.
int SampleSizes::attempts_at(const Facts& facts) const {
  Dim attempts = kAttemptsAtFacts;
  for (const SizeFact& fact : facts) {
    const auto it = periods_.find(fact.size);
    if (it != periods_.end()) attempts *= it->second;
  }
  return static_cast<int>(std::min<Dim>(attempts, kMostAttemptsAtFacts));
}

// Where windows stride, every place of the last one is looked at.
Status SampleSizes::look_at_periods(const Look& look) {
  for (const auto& [size, period] : periods_) {
    // How far each last stride reaches is drawn on both sides, and has to fit.
    const int attempts = std::max(kAttempts, 20 * static_cast<int>(period * period));
    for (Dim number = 1; number <= 2 * period; ++number) {
      const Facts facts = {{size, std::nullopt, number}};
      if (is_over() || seen_at(facts) > 0) continue;
      auto done = look_at({.facts = facts, .attempts = attempts, .stop = stop_}, 1, look);
      if (!done) return done;
    }
  }
  return Done{};
}

// What goes wrong along several axes at once may do so where each of the last windows has one place
// among several: combinations of two are looked for, and then all whose twos there are (sizes may
// be tied to one another).
Status SampleSizes::look_at_places(const Look& look) {
  std::vector<std::size_t> sizes;
  for (const auto& [size, period] : periods_) sizes.push_back(size);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t k = i + 1; k < sizes.size(); ++k) {
      for (const Places& two : combinations(std::array{sizes[i], sizes[k]})) {
        if (is_seen(two)) continue;
        if (auto done = look_at_places(two, look); !done) return done;
      }
    }
  }
  if (sizes.size() < 3) return Done{};
  for (const Places& places : combinations(sizes)) {
    if (is_seen(places) || !are_twos_seen(places)) continue;
    if (auto done = look_at_places(places, look); !done) return done;
    has_missed_places_ = has_missed_places_ || !is_seen(places);
  }
  return Done{};
}

Status SampleSizes::look_at_places(const Places& places, const Look& look) {
  std::size_t attempts = kAttempts;
  for (const auto& [size, place] : places)
    attempts =
        std::min(kMostAttemptsAtPlaces, attempts * static_cast<std::size_t>(periods_.at(size)));
  const auto accepts = [&](const std::vector<Quantity>& all) { return are_there(places, all); };
  return look_at({.accepts = accepts, .attempts = static_cast<int>(attempts), .stop = stop_}, 1,
                 look);
}

// None where there are too many.
std::vector<SampleSizes::Places> SampleSizes::combinations(std::span<const std::size_t> of) {
  std::vector<Places> out = {{}};
  for (const std::size_t size : of) {
    std::vector<Places> longer;
    for (const Places& places : out) {
      for (Dim place = 0; place < periods_.at(size); ++place) {
        longer.push_back(places);
        longer.back()[size] = place;
      }
    }
    out = std::move(longer);
    if (out.size() <= kMostPlaces) continue;
    has_missed_places_ = true;
    return {};
  }
  return out;
}

bool SampleSizes::are_there(const Places& places, const std::vector<Quantity>& quantities) const {
  const auto all = std::span(quantities).last(sizes());
  return std::ranges::all_of(places, [&](const auto& place) {
    return all[place.first].value % periods_.at(place.first) == place.second;
  });
}

bool SampleSizes::is_seen(const Places& places) const {
  return std::ranges::any_of(
      seen_, [&](const Sample& sample) { return are_there(places, sample.quantities); });
}

bool SampleSizes::are_twos_seen(const Places& places) const {
  for (auto a = places.begin(); a != places.end(); ++a) {
    for (auto b = std::next(a); b != places.end(); ++b) {
      if (!is_seen({*a, *b})) return false;
    }
  }
  return true;
}

// Where programs got too large to be looked at, each size is looked at by itself, as large as it
// was there, with others that are smaller.
Status SampleSizes::look_at_refused(const Look& look) {
  for (std::size_t size = 0; size < refused_.size(); ++size) {
    const auto at = [&](const Sample& sample) {
      return std::span(sample.quantities).last(sizes())[size].value;
    };
    const auto reaches = [&](const Sample& sample) { return at(sample) >= refused_[size]; };
    if (is_over() || std::ranges::any_of(seen_, reaches)) continue;
    const Facts facts = {{size, std::nullopt, refused_[size]}};
    auto done = look_at({.facts = facts, .attempts = kAttempts, .stop = stop_}, 1, look);
    if (!done) return done;
    has_size_too_large_ = has_size_too_large_ || seen_at(facts) == 0;
  }
  return Done{};
}

std::vector<std::vector<Dim>> SampleSizes::groups_seen() const {
  std::set<std::vector<Dim>> out;
  for (const Sample& sample : seen_) {
    std::vector<Dim> groups;
    for (std::size_t i = 0; i < convolutions_; ++i)
      groups.push_back(sample.quantities[kQuantitiesOfConvolution * i].value);
    out.insert(std::move(groups));
  }
  return {out.begin(), out.end()};
}

Status SampleSizes::look_around(const Condition& condition, const Look& look) {
  // What it speaks of, and the groups.
  const auto values_at = [&](const std::vector<Quantity>& quantities) {
    std::vector<Dim> out;
    for (const Atom& atom : condition.atoms) {
      for (const std::size_t quantity : {atom.a, atom.b, atom.c})
        out.push_back(quantities[quantity].value);
    }
    for (std::size_t i = 0; i < convolutions_; ++i)
      out.push_back(quantities[kQuantitiesOfConvolution * i].value);
    return out;
  };
  std::map<std::vector<Dim>, std::size_t> known;
  for (const Sample& sample : seen_) ++known[values_at(sample.quantities)];
  std::vector<Condition> formulas = {condition};
  for (std::size_t i = 0; i < condition.atoms.size(); ++i) {
    formulas.push_back(condition);
    formulas.back().atoms.erase(formulas.back().atoms.begin() + static_cast<std::ptrdiff_t>(i));
  }
  auto choices = groups_seen();
  choices.insert(choices.begin(), std::vector<Dim>{});  // as they are drawn
  for (const auto& groups : choices) {
    for (const Condition& formula : formulas) {
      const Facts facts = facts_of(formula, groups);
      const auto is_new = [&](const std::vector<Quantity>& quantities) {
        return formula.holds(quantities) && known[values_at(quantities)] < kSeenOften;
      };
      for (std::size_t i = 0; i < kMostAlike; ++i) {
        if (seen_.size() >= kMostSamples) return Done{};
        const auto found =
            draw_one({.groups = groups,
                      .facts = facts,
                      .accepts = is_new,
                      .attempts = groups.empty() ? kAttemptsToMeet : kAttemptsAtFacts,
                      .stop = stop_});
        if (!found) return found.error();
        if (!*found) break;
        ++known[values_at((*found)->quantities)];
        if (!look(**found)) return Done{};
      }
    }
  }
  return Done{};
}

// Each size 1, then each two alike and each two 1; not all of them where there are too many.
std::vector<SampleSizes::Facts> SampleSizes::facts_of_sizes() const {
  std::vector<Facts> out;
  for (std::size_t a = 0; a < sizes(); ++a) out.push_back({{a}});
  for (std::size_t a = 0; a < sizes(); ++a) {
    for (std::size_t b = a + 1; b < sizes() && out.size() < kMostFacts; ++b) {
      out.push_back({{a, b}});
      out.push_back({{a}, {b}});
    }
  }
  return out;
}

std::size_t SampleSizes::seen_at(const Facts& facts) const {
  const auto hold = [&](const Sample& sample) {
    const auto all = std::span(sample.quantities).last(sizes());
    return std::all_of(facts.begin(), facts.end(), [&](const SizeFact& fact) {
      return all[fact.size].value == (fact.same_as ? all[*fact.same_as].value : fact.number);
    });
  };
  return static_cast<std::size_t>(std::count_if(seen_.begin(), seen_.end(), hold));
}

std::size_t SampleSizes::sizes() const {
  const auto more = [](std::size_t sum, const RuleInput& input) { return sum + input.rank; };
  return std::accumulate(rule_.inputs.begin(), rule_.inputs.end(), std::size_t{0}, more);
}

}  // namespace pet::rules
