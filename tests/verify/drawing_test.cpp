// The ways to draw the inputs of a pair: each one once.
#include "verify/rounding/drawing.h"

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

TEST_CASE("Few inputs are drawn in every way that more are, in none of them twice") {
  for (std::size_t inputs = 0; inputs <= Draw::kChosen; ++inputs) {
    std::set<Ways> all;
    for (const Draw& draw : kDraws) all.insert(ways(draw, inputs));
    std::set<Ways> drawn;
    for (const Draw& draw : draws_of_inputs(inputs)) CHECK(drawn.insert(ways(draw, inputs)).second);
    CHECK(drawn == all);
  }
  CHECK(draws_of_inputs(0).size() == 1);
  CHECK(draws_of_inputs(1).size() == 15);
  CHECK(draws_of_inputs(Draw::kChosen).size() == kDraws.size());
}

TEST_CASE("Of many inputs every draw is made: chance decides on most of them") {
  CHECK(draws_of_inputs(Draw::kChosen + 1).size() == kDraws.size());
}
