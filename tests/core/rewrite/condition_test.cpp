#include "core/rewrite/condition.h"

#include <catch2/catch.hpp>

using namespace pet;
using namespace pet::rules;

namespace {

// One name is the beginning of another, and one holds a word of conditions.
std::vector<Quantity> quantities(Dim a = 1, Dim b = 2, Dim c = 3) {
  return {{"x[1] / w[1]", a}, {"x[1]", b}, {"x[1] is odd", c}};
}

TEST_CASE("A condition is read back from its text, whatever it says") {
  using Kind = Atom::Kind;
  const std::vector<Condition> all = {
      {{}},
      {{{Kind::IsOne, 0, 0}}},
      {{{Kind::Equal, 0, 1}, {Kind::IsEven, 1, 1}}},
      {{{Kind::SameParity, 1, 2}, {Kind::OddOrEven, 2, 0}, {Kind::IsOne, 2, 2}}},
      {{{Kind::Sum, 0, 1, 2}, {Kind::IsOdd, 2, 2}}}};
  for (const Condition& condition : all) {
    const std::string text = to_string(condition, quantities());
    CAPTURE(text);
    const auto read = parse_condition(text, quantities());
    REQUIRE(read.ok());
    CHECK(to_string(*read, quantities()) == text);
    for (Dim a = 1; a <= 3; ++a) {
      for (Dim b = 1; b <= 3; ++b) {
        const auto at = quantities(a, b, a + b - 1);
        CHECK(read->holds(at) == condition.holds(at));
      }
    }
  }
}

TEST_CASE("A condition on what the rule does not speak of is refused") {
  for (const char* text : {"y[1] = 1", "x[1] = 2", "x[1]", "x[1] = 1 and", "x[1] = 1 or x[1] = 1",
                           "(x[1] is odd or x[1] is odd)", " "}) {
    CAPTURE(text);
    CHECK_FALSE(parse_condition(text, quantities()).ok());
  }
}

}  // namespace
