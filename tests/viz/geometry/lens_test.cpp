#include "viz/geometry/lens.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/viz/geometry/figure_1.h"

namespace pet::viz {
namespace {

std::vector<char> points(const QuotientGrid& grid, State state) {
  Region out{grid.basis(), {}};
  for (const StatedBox& box : grid.boxes())
    if (box.state == state) out.boxes.push_back(box.box);
  return out.points();
}

TEST_CASE(
    "Figure 1 is regular in digits of the images: seen plainly it is 16 boxes, as the paper counts "
    "48 of 144 cells") {
  const QuotientGrid grid = test::figure_1();
  const QuotientGrid plain = through(grid, {false, false, false, false});
  CHECK(plain.basis().flat() == Shape{16, 64, 56, 56});
  CHECK(plain.cells() == 144);
  CHECK(plain.cells_in(State::Wrong) == 48);
  CHECK(points(plain, State::Wrong) == points(grid, State::Wrong));
  CHECK(through(grid, usual_lens(grid)).cells() == 18);
}

TEST_CASE("Parts of a whole axis that meet are one box") {
  // Of 14 columns as 7·2 all but the first and the last, cut by phases.
  std::vector<StatedBox> boxes = {{{{0, 1}, {7, 2}}, State::Wrong},
                                  {{{1, 0}, {7, 1}}, State::Wrong}};
  const QuotientGrid seen = through(QuotientGrid({{{7, 2}}}, std::move(boxes)), {false});
  REQUIRE(seen.boxes().size() == 1);
  CHECK(seen.boxes()[0].box == Box{{1}, {14}});
}

TEST_CASE("Where a lens takes too many boxes the grid stays as it is") {
  const QuotientGrid grid = test::figure_1();
  CHECK(through(grid, {false, false, false, false}, 10).basis() == grid.basis());
}

TEST_CASE("Every lens shows the same elements") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    DigitBasis basis;
    for (std::uint64_t axis = 1 + random.below(3); axis-- > 0;) {
      Shape& digits = basis.digits.emplace_back();
      for (std::uint64_t d = 1 + random.below(3); d-- > 0;) digits.push_back(random.between(1, 4));
    }
    const Shape flat = basis.flat();
    Box box;
    for (const Dim extent : flat) {
      box.low.push_back(random.between(0, extent - 1));
      box.high.push_back(random.between(box.low.back() + 1, extent));
    }
    const QuotientGrid grid(basis, {{box, State::Wrong}});
    Lens lens;
    for (std::size_t axis = 0; axis < basis.digits.size(); ++axis)
      lens.push_back(random.below(2) == 0);
    const QuotientGrid seen = through(grid, lens);
    CHECK(points(seen, State::Wrong) == points(grid, State::Wrong));
    CHECK(seen.elements_in(State::Wrong) == box.volume());
  }
}

}  // namespace
}  // namespace pet::viz
