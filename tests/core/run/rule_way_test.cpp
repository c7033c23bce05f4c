#include "core/run/rule_way.h"

#include <catch2/catch.hpp>

namespace pet {
namespace {

JournalContent journal_of(const std::vector<Event>& events) {
  JournalContent out;
  TasoConfig config;
  config.rules = {{"own", "", {{"first", "x[0] = 1"}, {"second", ""}, {"third", ""}}}};
  out.header.config = config;
  for (const Event& event : events) out.entries.push_back({event, 0});
  return out;
}

TEST_CASE("The way leads to the cheapest program, each rule with its condition, place and gain") {
  const auto way = rule_way(journal_of({StateTaken{0, 10}, StateReached{1, 0, "first", "a", 9, ""},
                                        StateReached{2, 0, "third", "c", 9.5, ""}, StateTaken{1, 9},
                                        StateReached{3, 1, "second", "b", 7, ""}}));
  REQUIRE(way.size() == 2);
  CHECK(way[0].applied == move::ApplyRule{"first", "x[0] = 1", "a"});
  CHECK(way[0].saved_ms == 1);
  CHECK(way[1].applied == move::ApplyRule{"second", "", "b"});
  CHECK(way[1].saved_ms == 2);
}

TEST_CASE("Of an e-graph the last way is the best, and its end has what all of it saves") {
  const auto way = rule_way(journal_of(
      {WayFound{1, {{"first", "", "a"}}}, WayFound{2, {{"second", "", "b"}, {"third", "", ""}}}}));
  REQUIRE(way.size() == 2);
  CHECK(way[0].applied.rule == "second");
  CHECK_FALSE(way[0].saved_ms);
  CHECK(way[1].saved_ms == 2);
}

TEST_CASE("Of blocks each has its way, and what it saves counts in every place") {
  const auto way = rule_way(journal_of(
      {BlockTaken{0, 9, {"a", "b", "c"}}, StateTaken{0, 10},
       StateReached{1, 0, "first", "a", 9, ""}, BlockTaken{1, 9, {"d"}}, StateTaken{0, 3},
       BlockTaken{2, 20, {"e", "f"}}, StateTaken{0, 8}, StateReached{1, 0, "second", "e", 7, ""}}));
  REQUIRE(way.size() == 2);
  CHECK(way[0].applied.place == "a");
  CHECK(way[0].saved_ms == 3);
  CHECK(way[0].places == 3);
  CHECK(way[1].saved_ms == 2);
  CHECK(way[1].places == 2);
}

TEST_CASE("Where nothing is cheaper than the original there is no way") {
  CHECK(rule_way(journal_of({})).empty());
  CHECK(rule_way(journal_of({StateTaken{0, 10}, StateReached{1, 0, "first", "a", 10.2, ""}}))
            .empty());
}

TEST_CASE("States of a file that lead to themselves or nowhere end the way") {
  CHECK(rule_way(journal_of({StateReached{1, 1, "first", "a", 1, ""}})).size() == 1);
  CHECK(rule_way(journal_of({StateReached{1, 2, "first", "a", 1, ""},
                             StateReached{2, 1, "second", "b", 2, ""}}))
            .size() == 1);
  CHECK(rule_way(journal_of({StateReached{5, 4, "first", "a", 1, ""}})).size() == 1);
}

}  // namespace
}  // namespace pet
