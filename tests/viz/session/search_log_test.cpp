#include "viz/session/search_log.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/viz/session/a_search.h"
#include "viz/words/events.h"

namespace pet::viz {
namespace {

SearchLog log_of(std::span<const LogEntry> entries) {
  SearchLog out;
  for (const LogEntry& entry : entries) out.add(entry);
  return out;
}

TEST_CASE("A log knows trees, mutants and what became of them") {
  const SearchLog log = log_of(a_search());
  REQUIRE(log.mutants().size() == 3);
  REQUIRE(log.nodes().size() == 7);
  CHECK(log.roots(0).size() == 2);
  CHECK(log.nodes()[0].children == std::vector<std::size_t>{1, 2, 3});
  CHECK(log.nodes()[4].parent == 2);
  CHECK(log.nodes()[4].mutant == 0);
  CHECK(log.nodes()[6].mutant == 2);
  CHECK_FALSE(log.nodes()[1].mutant);
  CHECK(log.mutants()[0].in_part);
  CHECK(log.fate_of(log.mutants()[0], log.size()) == Fate::Partial);
  CHECK(log.fate_of(log.mutants()[1], log.size()) == Fate::Equal);
  CHECK(log.fate_of(log.mutants()[2], log.size()) == Fate::Discarded);
  const auto line = log.line_of(log.mutants()[2]);
  REQUIRE(line.ok());
  REQUIRE(line->size() == 2);
  CHECK((*line)[0].digest == "q");
  CHECK((*line)[1].digest.empty());
  const auto* verified = log.last_of<MutantVerified>(log.mutants()[0], log.size());
  REQUIRE(verified != nullptr);
  CHECK(verified->wrong_share == 0.25);
}

TEST_CASE("At every cursor the log shows what one that ends there shows") {
  const std::vector<LogEntry> entries = a_search();
  const SearchLog whole = log_of(entries);
  Rng rng(7);
  for (int i = 0; i < 200; ++i) {
    const std::size_t cursor = rng.below(entries.size() + 1);
    const SearchLog part = log_of(std::span(entries).first(cursor));
    CHECK(SearchLog::count_at(whole.mutants(), cursor) == part.mutants().size());
    CHECK(SearchLog::count_at(whole.nodes(), cursor) == part.nodes().size());
    CHECK(SearchLog::count_at(whole.subprograms(), cursor) == part.subprograms().size());
    for (std::size_t row = 0; row < part.mutants().size(); ++row)
      CHECK(whole.fate_of(whole.mutants()[row], cursor) ==
            part.fate_of(part.mutants()[row], cursor));
  }
}

TEST_CASE("A log of a million entries knows at every cursor what was there", "[.full]") {
  const std::vector<LogEntry> entries = a_large_search(1'000'000, 3);
  const SearchLog log = log_of(entries);
  std::vector<std::size_t> nodes{0}, mutants{0};  // below each cursor
  for (const LogEntry& entry : entries) {
    const auto* happened = std::get_if<Event>(&entry.what);
    const bool is_new = happened != nullptr && std::holds_alternative<MutantProposed>(*happened);
    nodes.push_back(nodes.back() + (happened == nullptr ? 1 : 0));
    mutants.push_back(mutants.back() + (is_new ? 1 : 0));
  }
  CHECK(log.mutants().size() > 150'000);
  Rng rng(7);
  for (int i = 0; i < 1'000; ++i) {
    const std::size_t cursor = rng.below(entries.size() + 1);
    REQUIRE(SearchLog::count_at(log.nodes(), cursor) == nodes[cursor]);
    REQUIRE(SearchLog::count_at(log.mutants(), cursor) == mutants[cursor]);
    const auto& row = log.mutants()[rng.below(log.mutants().size())];
    if (row.since < cursor)
      REQUIRE(log.fate_of(row, cursor) == (row.since + 1 < cursor ? Fate::Kept : Fate::Proposed));
    const auto& node = log.nodes()[rng.below(log.nodes().size())];
    if (node.parent) REQUIRE(log.nodes()[*node.parent].children[node.place] < log.nodes().size());
  }
}

TEST_CASE("Mutants with the same moves are told apart, or it is said that they cannot be") {
  SearchLog log;
  for (const std::size_t id : {0U, 1U}) log.add(event(MutantProposed{0, lineage(id, {kCut})}));
  log.add(event(MutantShown{0, lineage(2, {kCut})}));
  CHECK(log.line_of(log.mutants()[0])->front().which == 0);
  CHECK(log.line_of(log.mutants()[1])->front().which == 1);
  CHECK_FALSE(log.line_of(log.mutants()[2]).ok());
  log.add(event(MutantVerified{0, MutantId(2), "r", Outcome::Equivalent, true, {}, 0, 0}));
  CHECK(log.line_of(log.mutants()[2])->front().digest == "r");
}

TEST_CASE("Ancestors that go round in circles end") {
  SearchLog log;
  log.add(event(MutantShown{0, lineage(0, {kCut}, MutantId(1))}));
  log.add(event(MutantShown{0, lineage(1, {kCut}, MutantId(0))}));
  CHECK_FALSE(log.line_of(log.mutants()[1]).ok());
}

TEST_CASE("What happened is said in words") {
  const SearchLog log = log_of(a_search());
  CHECK(in_words(*log.event(1)) == "S0: Conv at y (2 places)");
  CHECK(in_words(*log.event(8)) == "kept: estimated 1.5 ms, wrong at some sampled positions");
  CHECK(in_words(*log.event(9)).starts_with("checked: partial, 25.00 % of the output is wrong"));
  CHECK(in_words(*log.event(15)) == "discarded: estimated to cost more (9 ms)");
  CHECK(name_of(0, MutantId(2)) == "S0 M2");
}

}  // namespace
}  // namespace pet::viz
