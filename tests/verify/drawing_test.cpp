// The ways to draw the inputs of a pair: each one once.
#include "verify/rounding/drawing.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace pet;

namespace {

using Ways = std::vector<Spreading>;  // by input

Ways ways(const Draw& draw, std::size_t inputs) {
  Ways out;
  for (std::size_t i = 0; i < inputs; ++i)
    out.push_back(draw.is_one_of_some(i) ? draw.some : draw.others);
  return out;
}

}  // namespace

constexpr Dim kMany = 1000;  // elements

TEST_CASE("Few inputs are drawn in every way that more are, in none of them twice") {
  for (std::size_t inputs = 0; inputs <= Draw::kChosen; ++inputs) {
    std::set<Ways> all;
    for (const Draw& draw : kDraws) all.insert(ways(draw, inputs));
    std::set<Ways> drawn;
    for (const Draw& draw : draws_of_inputs(inputs, kMany))
      CHECK(drawn.insert(ways(draw, inputs)).second);
    CHECK(drawn == all);
  }
  CHECK(draws_of_inputs(0, 0).size() == 1);
  CHECK(draws_of_inputs(1, kMany).size() == 15);
  CHECK(draws_of_inputs(Draw::kChosen, kMany).size() == kDraws.size());
}

TEST_CASE("Of many inputs every draw is made: chance decides on most of them") {
  CHECK(draws_of_inputs(Draw::kChosen + 1, kMany).size() == kDraws.size());
}

TEST_CASE("Few elements of many sizes are drawn again, each time otherwise") {
  const auto large_ones = [](Dim elements) {
    std::set<float> drawn;
    for (const Draw& draw : draws_of_inputs(1, elements)) {
      if (draw.others != Spreading::Large) continue;
      Drawing drawing(draw, 0, draw.number());
      for (Dim i = 0; i < elements; ++i) drawn.insert(static_cast<float>(drawing.next()));
    }
    return drawn.size();
  };
  CHECK(large_ones(1) == 32);
  CHECK(large_ones(3) == 96);
  CHECK(large_ones(5) == 130);
  CHECK(large_ones(63) == 189);
  CHECK(large_ones(128) == 128);
  const auto small = draws_of_inputs(1, 1);
  CHECK(std::ranges::count(small, Spreading::Same, &Draw::others) == 1);
  CHECK(std::ranges::count(small, Spreading::AnySize, &Draw::others) == 32);
}
