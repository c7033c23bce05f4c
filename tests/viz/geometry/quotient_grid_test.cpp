#include "viz/geometry/quotient_grid.h"

#include <catch2/catch.hpp>

#include "tests/viz/geometry/figure_1.h"

namespace pet::viz {
namespace {

TEST_CASE("Figure 1 has 18 cells of which 6 are wrong, and two boxes of 1.79 % of the elements") {
  const QuotientGrid grid = test::figure_1();
  CHECK(grid.cells() == 18);
  CHECK(grid.cells_in(State::Wrong) == 6);
  CHECK(grid.cells_in(State::Equal) == 12);
  CHECK(grid.share(State::Wrong) == Approx(2.0 / 112));
  CHECK(grid.elements_in(State::Wrong) + grid.elements_in(State::Equal) == grid.elements());
}

TEST_CASE("Every digit is cut where any box begins or ends") {
  const QuotientGrid grid = test::figure_1();
  CHECK(grid.intervals(0) == std::vector<Interval>{{0, 8}});
  CHECK(grid.intervals(1) == std::vector<Interval>{{0, 1}, {1, 2}});
  CHECK(grid.intervals(4) == std::vector<Interval>{{0, 1}, {1, 55}, {55, 56}});
  CHECK(grid.span_of(grid.boxes()[0].box) == Span{{0, 1}, {0, 1}, {0, 1}, {0, 3}, {2, 3}});
}

TEST_CASE("A tensor without boxes is one equal cell, and one without elements has none") {
  const QuotientGrid whole({{{4}, {5}}}, {});
  CHECK(whole.cells() == 1);
  CHECK(whole.elements_in(State::Equal) == 20);
  const QuotientGrid empty({{{0}, {5}}}, {{{{0, 0}, {0, 5}}, State::Wrong}});
  CHECK(empty.cells() == 0);
  CHECK(empty.boxes().empty());
  CHECK(empty.share(State::Wrong) == 0);
}

TEST_CASE("A number alone is one cell") {
  const QuotientGrid number(DigitBasis{}, {{{{}, {}}, State::Wrong}});
  CHECK(number.cells() == 1);
  CHECK(number.cells_in(State::Wrong) == 1);
  CHECK(number.share(State::Wrong) == 1);
}

}  // namespace
}  // namespace pet::viz
