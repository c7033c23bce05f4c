#include "viz/geometry/slices.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/viz/geometry/figure_1.h"

namespace pet::viz {
namespace {

TEST_CASE("Figure 1 has two distinct slices, each of half of all") {
  const QuotientGrid grid = test::figure_1();
  const Plane plane = usual_plane(grid);
  CHECK(plane == Plane{3, 4});
  const Slices slices = slices_of(grid, plane);
  REQUIRE(slices.distinct.size() == 2);
  CHECK(slices.number == 8 * 2 * 64);
  CHECK(slices.is_complete);
  for (const Slice& slice : slices.distinct) {
    CHECK(slice.multiplicity == 512);
    CHECK(slice.wrong == 512 * 56);
    REQUIRE(slice.patches.size() == 1);
  }
  CHECK(slices.distinct[0].patches[0] == Patch{{0, 3}, {2, 3}, State::Wrong, 0});
  CHECK(slices.distinct[1].patches[0] == Patch{{0, 3}, {0, 1}, State::Wrong, 1});
}

TEST_CASE("Slices in which nothing is wrong are one, and the last") {
  const QuotientGrid grid({{{10}, {4}, {4}}}, {{{{3, 1, 1}, {5, 2, 2}}, State::Wrong}});
  const Slices slices = slices_of(grid, {1, 2});
  REQUIRE(slices.distinct.size() == 2);
  CHECK(slices.distinct[0].multiplicity == 2);
  CHECK(slices.distinct[1].multiplicity == 8);
  CHECK(slices.distinct[1].patches.empty());
  CHECK(slices.distinct[1].at == std::vector<std::size_t>{0, 0, 0});
}

TEST_CASE("Tensors of one axis and single numbers have a plane, too") {
  const QuotientGrid line({{{6}}}, {{{{2}, {3}}, State::Wrong}});
  CHECK(usual_plane(line) == Plane{std::nullopt, 0});
  CHECK(slices_of(line, usual_plane(line)).distinct.at(0).patches.at(0).columns == Interval{1, 2});
  const QuotientGrid number(DigitBasis{}, {{{{}, {}}, State::Wrong}});
  CHECK(slices_of(number, usual_plane(number)).distinct.at(0).wrong == 1);
}

TEST_CASE("More slices than may be looked at are told") {
  const QuotientGrid grid({{{4}, {4}, {4}}}, {{{{0, 0, 0}, {1, 1, 1}}, State::Wrong},
                                              {{{1, 0, 0}, {2, 1, 1}}, State::Wrong},
                                              {{{2, 0, 0}, {3, 1, 1}}, State::Wrong}});
  CHECK(slices_of(grid, {1, 2}).is_complete);
  CHECK_FALSE(slices_of(grid, {1, 2}, 2).is_complete);
}

// Against single elements, in any rank: every slice that is drawn is what stands there, and all of
// them are counted.
TEST_CASE("Slices say of every element what its box says") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    const std::size_t rank = 1 + random.below(5);
    Shape shape;
    for (std::size_t i = 0; i < rank; ++i) shape.push_back(1 + static_cast<Dim>(random.below(4)));
    const DigitBasis basis = DigitBasis::plain(shape);
    // Disjoint: each in a layer of the first axis of its own.
    std::vector<StatedBox> boxes;
    for (Dim layer = 0; layer < shape[0]; ++layer) {
      Box box{Shape(rank, 0), shape};
      box.low[0] = layer;
      box.high[0] = layer + 1;
      for (std::size_t i = 1; i < rank; ++i) {
        box.low[i] = static_cast<Dim>(random.below(static_cast<std::uint64_t>(shape[i])));
        box.high[i] =
            box.low[i] + 1 +
            static_cast<Dim>(random.below(static_cast<std::uint64_t>(shape[i] - box.low[i])));
      }
      if (random.below(3) > 0)
        boxes.push_back({box, random.below(2) == 0 ? State::Wrong : State::Unknown});
    }
    const QuotientGrid grid(basis, boxes);
    const Slices slices = slices_of(grid, usual_plane(grid));
    Dim number = 0, wrong = 0;
    for (const Slice& slice : slices.distinct) {
      number += slice.multiplicity;
      wrong += slice.wrong;
    }
    CHECK(number == slices.number);
    CHECK(wrong == grid.elements_in(State::Wrong) + grid.elements_in(State::Unknown));
    double cells = 0;
    for (const State state : {State::Equal, State::Wrong, State::Unknown})
      cells += grid.cells_in(state);
    CHECK(cells == grid.cells());
  }
}

}  // namespace
}  // namespace pet::viz
