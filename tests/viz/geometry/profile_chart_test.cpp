#include "viz/geometry/profile_chart.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

AttributedTime took(NamedAfter after, std::string name, std::string type, double ms) {
  return {.named_after = after,
          .name = std::move(name),
          .type = std::move(type),
          .ms = ms,
          .share = ms / 10,
          .samples = 30};
}

ProfileFacts pair() {
  ProfileFacts facts;
  facts.programs = {
      {"original", {took(NamedAfter::Node, "c", "Conv", 4)}},
      {"mutant",
       {took(NamedAfter::Node, "c", "Conv", 3), took(NamedAfter::Node, "t", "Transpose", 1),
        took(NamedAfter::Node, "u", "Transpose", 2)}}};
  facts.why_no_whole = facts.why_not_recorded = "not measured yet";
  return facts;
}

TEST_CASE("What was not measured is missing, with the reason, beside what the model says") {
  const BarChart chart = profile_chart(pair(), Grouping::ByType, Shown::Measured);
  CHECK(chart.series == std::vector<std::string>{"original", "mutant"});
  REQUIRE(chart.groups.size() == 2);
  for (const Bar& bar : chart.groups[0].rows[0].bars)
    CHECK(in_words(bar) == "missing: not measured yet");
  CHECK(in_words(chart.groups[0].rows[1].bars[0]) == "4.00 ms, modelled");
  CHECK(in_words(chart.groups[0].rows[1].bars[1]) == "6.00 ms, modelled");
  REQUIRE(chart.groups[1].rows.size() == 1);
  CHECK(chart.groups[1].rows[0].bars[1].source == Source::Missing);
  CHECK(headline(pair()) == "modelled: mutant is 0.67x as fast as original; nothing was measured");
}

TEST_CASE("Operators are added up by type, or paired by name and type, the longest first") {
  const auto rows = profile_chart(pair(), Grouping::ByType, Shown::Modelled).groups[1].rows;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].label == "Conv");
  CHECK(rows[1].label == "Transpose");
  CHECK(rows[1].bars[0].source == Source::None);
  CHECK(rows[1].bars[1].ms == 3);
  const auto single = profile_chart(pair(), Grouping::ByOperator, Shown::Modelled).groups[1].rows;
  REQUIRE(single.size() == 3);
  CHECK(single[0].label == "c");
  CHECK(single[0].bars[0].ms == 4);
  CHECK(single[0].bars[1].ms == 3);
  CHECK(single[1].label == "u");
}

TEST_CASE("Of a profile each bar says whose time it is, and the rest of the run is one of them") {
  ProfileFacts facts = pair();
  facts.recorded = {{10,
                     {took(NamedAfter::Runtime, "ReorderInput", "ReorderInput", 1),
                      took(NamedAfter::Value, "c", "Conv", 4),
                      took(NamedAfter::Rest, "the rest of the run", "", 5)}},
                    {8, {took(NamedAfter::Rest, "the rest of the run", "", 8)}}};
  const BarGroup group = profile_chart(facts, Grouping::ByOperator, Shown::Measured).groups[1];
  CHECK(group.title ==
        "By operator, measured: a run took 10.0 ms and 8.00 ms while it was recorded");
  REQUIRE(group.rows.size() == 3);
  CHECK(group.rows[0].label == "the rest of the run");
  CHECK(group.rows[0].bars[0].ms == 5);
  CHECK(group.rows[0].bars[1].ms == 8);
  CHECK(group.rows[1].note == "Conv, by its value");
  CHECK(in_words(group.rows[1].bars[0]) == "4.00 ms, 40.0 %, measured, n = 30");
  CHECK(group.rows[2].note == "ReorderInput, the runtime's own");
}

TEST_CASE("Whole runs have medians with bounds, and the headline says what was decided") {
  ProfileFacts facts = pair();
  Comparison comparison;
  comparison.timing = {std::vector<double>(40, 2), std::vector<double>(40, 4)};
  comparison.ratio = {0.5, 0.45, 0.55};
  comparison.decision = Decision::Slower;
  facts.whole = WholeTimes{comparison, false};
  const auto bars = profile_chart(facts, Grouping::ByType, Shown::Modelled).groups[0].rows[0].bars;
  CHECK(in_words(bars[0]) == "2.00 ms (2 to 2), measured, n = 40");
  CHECK(bars[1].ms == 4);
  CHECK(headline(facts) ==
        "measured: mutant is 0.500x as fast as original (0.450 to 0.550): slower, 40 rounds");
  facts.whole->is_remembered = true;
  CHECK(headline(facts).starts_with("remembered: "));
  CHECK(profile_chart(facts, Grouping::ByType, Shown::Modelled).groups[0].rows[0].bars[0].source ==
        Source::Remembered);
}

TEST_CASE("Of nothing there is nothing") {
  CHECK(profile_chart({}, Grouping::ByType, Shown::Measured).groups.empty());
  CHECK(headline({}).empty());
}

}  // namespace
}  // namespace pet::viz
