#include "viz/session/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "viz/words/events.h"

namespace pet::viz {
namespace {

using Key = std::pair<std::size_t, MutantId>;

std::set<Key> plan_at(const SearchLog& log, std::size_t cursor) {
  std::map<std::size_t, MutantId> best;
  std::optional<std::set<Key>> accepted;
  for (std::size_t i = 0; i < cursor; ++i) {
    const Event* event = log.event(i);
    if (event == nullptr) continue;
    if (const auto* e = std::get_if<BestImproved>(event)) best[e->subprogram] = e->mutant;
    const auto* tried = std::get_if<PlanTried>(event);
    if (tried == nullptr || !tried->accepted) continue;
    accepted.emplace();
    for (const PlanTried::Part& part : tried->parts)
      accepted->emplace(part.subprogram, part.mutant);
  }
  return accepted ? *std::move(accepted) : std::set<Key>(best.begin(), best.end());
}

// One that was looked at closely is a card even where nothing tells that it was kept: journals of
// corrected mutants do not.
bool is_card(const SearchLog& log, const SearchLog::MutantRow& row, std::size_t cursor, Fate fate) {
  return fate >= Fate::Equal || log.last_of<CandidateKept>(row, cursor) != nullptr ||
         fate == Fate::Kept;
}

RoundCard card_of(const SearchLog& log, std::size_t number, std::size_t cursor, Fate fate) {
  const SearchLog::MutantRow& row = log.mutants()[number];
  RoundCard out{number, row.lineage, fate, {}, {}, false};
  if (const auto* kept = log.last_of<CandidateKept>(row, cursor)) out.estimate_ms = kept->cost_ms;
  if (const auto* measured = log.last_of<CandidateMeasured>(row, cursor))
    out.ratio = measured->comparison.ratio.median;
  return out;
}

bool stands_before(const RoundCard& a, const RoundCard& b) {
  const auto rank = [](const RoundCard& card) {
    return std::tuple(card.fate == Fate::Dropped, !card.estimate_ms.has_value(),
                      card.estimate_ms.value_or(0), card.mutant);
  };
  return rank(a) < rank(b);
}

Round& round_of(RoundsOfSubprogram& column, std::size_t number) {
  const auto at = std::ranges::lower_bound(column.rounds, number, {}, &Round::number);
  if (at != column.rounds.end() && at->number == number) return *at;
  return *column.rounds.insert(at, Round{number, {}, 0});
}

}  // namespace

std::vector<RoundsOfSubprogram> rounds_at(const SearchLog& log, std::size_t cursor) {
  const std::set<Key> plan = plan_at(log, cursor);
  std::map<std::size_t, RoundsOfSubprogram> columns;
  const std::size_t mutants = SearchLog::count_at(log.mutants(), cursor);
  for (std::size_t i = 0; i < mutants; ++i) {
    const SearchLog::MutantRow& row = log.mutants()[i];
    Round& round = round_of(columns[row.subprogram], row.lineage.round);
    ++round.mutants;
    const Fate fate = log.fate_of(row, cursor);
    if (!is_card(log, row, cursor, fate)) continue;
    round.cards.push_back(card_of(log, i, cursor, fate));
    round.cards.back().is_chosen = plan.contains({row.subprogram, row.lineage.id});
  }
  std::vector<RoundsOfSubprogram> out;
  for (auto& [number, column] : columns) {
    column.subprogram = number;
    if (const auto* found = log.subprogram(number)) column.title = in_words(*found);
    for (Round& round : column.rounds) std::ranges::sort(round.cards, stands_before);
    out.push_back(std::move(column));
  }
  return out;
}

std::string in_words(const RoundCard& card) {
  switch (card.fate) {
    case Fate::Kept:
      return "waits";
    case Fate::Dropped:
      return "made room for cheaper ones";
    case Fate::Measured:
      return card.ratio ? fmt::format("measured {:.2f}x", *card.ratio) : "measured";
    case Fate::Faster:
      return card.ratio ? fmt::format("faster: {:.2f}x", *card.ratio) : "faster";
    default:
      return std::string(to_string(card.fate)) +
             (card.ratio ? fmt::format(", measured {:.2f}x", *card.ratio) : "");
  }
}

}  // namespace pet::viz
