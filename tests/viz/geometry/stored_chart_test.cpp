#include "viz/geometry/stored_chart.h"

#include <catch2/catch.hpp>

#include "tests/viz/geometry/stored.h"

namespace pet::viz {
namespace {

TEST_CASE("A stored profile is a group an original on an axis of its own, the longest first") {
  const Stored stored({{"A", "B", 1, 0.5}, {"C", "D", 10, 5}, {"A", "E", 2, 4}});
  const StoredChart chart = stored_chart(stored.profile);
  CHECK(chart.bars.series == std::vector<std::string>{"original", "candidate"});
  REQUIRE(chart.bars.groups.size() == 2);
  CHECK(chart.bars.groups[0].title == "Instead of 1 C of float[2]");
  REQUIRE(chart.bars.groups[1].rows.size() == 2);
  CHECK(chart.bars.groups[1].rows[0].note == "1 E of float[2]");
  CHECK(chart.bars.groups[1].rows[0].label == "0.500x, slower");
  CHECK(chart.bars.groups[1].rows[0].bars[1].ms == 4);
  CHECK(chart.bars.groups[1].rows[0].bars[1].source == Source::Remembered);
  CHECK(chart.lines == std::vector<std::size_t>{1, 2, 0});
  for (std::size_t number = 0; number < chart.lines.size(); ++number)
    CHECK(chart.number_of(*chart.place_of(number)) == number);
  CHECK_FALSE(chart.place_of(3).has_value());
}

TEST_CASE("Device, precision, dates and what was left out stand above") {
  Stored stored({{"A", "B", 1, 0.5}, {"A", "C", 1, 0.5}}, "cuda tf32");
  stored.add("torn");
  stored.read();
  CHECK(headline(stored.profile) == "2 comparisons of cuda tf32 on a GPU, in tf32");
  CHECK(facts_of(stored.profile, stored_chart(stored.profile)) ==
        "Remembered: nothing was run on this machine. Measured 2026-11-29T01:07:00Z to "
        "2026-11-29T01:07:01Z, driver 1. 1 line is broken and left out");
  const std::string words = in_words(stored.profile.lines()[0]);
  CHECK(words.find("2.000x (1.800 to 2.200): faster") != std::string::npos);
  CHECK(words.find("20 rounds; 2026-11-29T01:07:00Z") != std::string::npos);
  CHECK(words.find("decided a rule") != std::string::npos);
}

TEST_CASE("Of many originals the longest are drawn, and it is said how many there are") {
  std::vector<StoredLine> lines;
  for (int i = 0; i < 60; ++i) lines.push_back({"A" + std::to_string(i), "B", 1.0 + i, 1.0});
  const Stored stored(lines);
  const StoredChart chart = stored_chart(stored.profile);
  CHECK(chart.bars.groups.size() == 48);
  CHECK(chart.lines.size() == 60);
  CHECK(chart.lines.front() == 59);
  CHECK(facts_of(stored.profile, chart).find("Of 60 originals the 48") != std::string::npos);
  CHECK_FALSE(chart.place_of(59).has_value());
}

TEST_CASE("Of an empty profile there is nothing") {
  const Stored stored({});
  CHECK(stored_chart(stored.profile).bars.groups.empty());
  CHECK(headline(stored.profile) == "profile.jsonl: no comparisons");
}

}  // namespace
}  // namespace pet::viz
