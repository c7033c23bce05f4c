#include "viz/session/rounds.h"

#include <catch2/catch.hpp>

#include "tests/viz/session/a_search.h"

namespace pet::viz {
namespace {

LogEntry proposed(std::size_t id, std::size_t round = 0, std::optional<MutantId> parent = {}) {
  Lineage what = lineage(id, {kJoin}, parent);
  what.round = round;
  return event(MutantProposed{0, what});
}
LogEntry kept(std::size_t id, double ms, std::optional<MutantId> displaced = {}) {
  return event(CandidateKept{0, MutantId(id), ms, {}, {}, displaced, false});
}
LogEntry measured(std::size_t id, double ratio) {
  CandidateMeasured out{0, MutantId(id), "p", {}, {}};
  out.comparison.ratio.median = ratio;
  out.comparison.decision = ratio > 1 ? Decision::Faster : Decision::Undecided;
  return event(out);
}

// Two rounds of one subprogram: 0 makes room for 2, 1 is the best and 3 comes of it.
SearchLog two_rounds() {
  SearchLog out;
  for (LogEntry& entry : std::vector<LogEntry>{
           event(SubprogramFound{0, {"Conv"}, "y", 2, "p"}), proposed(0), kept(0, 3.0), proposed(1),
           kept(1, 2.0), proposed(2), kept(2, 1.0, MutantId(0)),
           event(CandidateDropped{0, MutantId(0), 3.0, {}, {}, MutantId(2)}), measured(2, 0.9),
           measured(1, 1.5), event(BestImproved{0, MutantId(1), 0.5}), proposed(3, 1, MutantId(1)),
           proposed(4, 1, MutantId(1)), kept(3, 1.5)})
    out.add(std::move(entry));
  return out;
}

std::vector<std::size_t> ids(const Round& round) {
  std::vector<std::size_t> out;
  for (const RoundCard& card : round.cards) out.push_back(card.lineage.id.value);
  return out;
}

TEST_CASE("Rounds hold what they kept, cheapest first, then what made room") {
  const SearchLog log = two_rounds();
  const auto rounds = rounds_at(log, log.size());
  REQUIRE(rounds.size() == 1);
  CHECK(rounds[0].title == "Conv at y (2 places)");
  REQUIRE(rounds[0].rounds.size() == 2);
  CHECK(ids(rounds[0].rounds[0]) == std::vector<std::size_t>{2, 1, 0});
  CHECK(rounds[0].rounds[0].mutants == 3);
  CHECK(ids(rounds[0].rounds[1]) == std::vector<std::size_t>{3});
  CHECK(rounds[0].rounds[1].mutants == 2);
  CHECK(in_words(rounds[0].rounds[0].cards[0]) == "measured 0.90x");
  CHECK(in_words(rounds[0].rounds[0].cards[1]) == "faster: 1.50x");
  CHECK(in_words(rounds[0].rounds[0].cards[2]) == "made room for cheaper ones");
  CHECK(in_words(rounds[0].rounds[1].cards[0]) == "waits");
}

TEST_CASE("At an earlier cursor the rounds are what they were then") {
  const SearchLog log = two_rounds();
  const auto rounds = rounds_at(log, 5);
  REQUIRE(rounds.size() == 1);
  REQUIRE(rounds[0].rounds.size() == 1);
  CHECK(ids(rounds[0].rounds[0]) == std::vector<std::size_t>{1, 0});
  CHECK(in_words(rounds[0].rounds[0].cards[1]) == "waits");
  CHECK(rounds_at(log, 0).empty());
}

TEST_CASE("The plan is the best so far until a file is accepted, then what that holds") {
  SearchLog log = two_rounds();
  const auto chosen = [&] {
    std::vector<std::size_t> out;
    const auto rounds = rounds_at(log, log.size());
    for (const Round& round : rounds[0].rounds)
      for (const RoundCard& card : round.cards)
        if (card.is_chosen) out.push_back(card.lineage.id.value);
    return out;
  };
  CHECK(chosen() == std::vector<std::size_t>{1});
  PlanTried refused;
  refused.parts = {{0, "y", MutantId(2)}};
  log.add(event(refused));
  CHECK(chosen() == std::vector<std::size_t>{1});
  PlanTried accepted;
  accepted.parts = {{0, "y", MutantId(3)}};
  accepted.accepted = true;
  log.add(event(accepted));
  CHECK(chosen() == std::vector<std::size_t>{3});
}

}  // namespace
}  // namespace pet::viz
