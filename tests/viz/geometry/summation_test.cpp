#include "viz/geometry/summation.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/viz/geometry/nine_boxes.h"
#include "viz/geometry/boxes_scene.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

TEST_CASE(
    "Nine boxes of a padded convolution have nine summation intervals, and say what they leave "
    "out") {
  const Summation summation = summation_of(test::nine_boxes());
  REQUIRE(summation.boxes.size() == 9);
  REQUIRE(summation.sums.size() == 1);
  CHECK(summation.formulas == 9);
  CHECK(summation.sums[0].taps.size() == 9);
  // Taps are told by the kernel's own rows and columns.
  CHECK(summation.sums[0].tap_axes ==
        std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}, {0, 3}});
  const auto words = [&](std::size_t box) {
    const SumInBox& sum = summation.boxes[box].sums.at(0);
    return interval_in_words(sum, summation.basis) + "; " + taps_in_words(sum, summation.sums[0]);
  };
  CHECK(words(0) == "h + [0,1], w + [0,1]; 4 of 9 taps; without (0,0) (0,1) (0,2) (1,0) (2,0)");
  CHECK(words(1) == "h + [0,1], w + [-1,1]; 6 of 9 taps; without (0,0) (0,1) (0,2)");
  CHECK(words(4) == "h + [-1,1], w + [-1,1]; 9 of 9 taps");
  CHECK(words(5) == "h + [-1,1], w + [-1,0]; 6 of 9 taps; without (0,2) (1,2) (2,2)");
  CHECK(formula_in_words(summation.boxes[8].sums[0], summation.basis) ==
        "Σ W[c, [0,1], [0,1], [0,1]] · X[0, [0,1], h + [-1,0], w + [-1,0]]");
  CHECK(summation.boxes[8].sums[0].products == 8);
  CHECK(taps_in_words(summation.boxes[0].sums[0], summation.sums[0], 2) ==
        "4 of 9 taps; without (0,0) (0,1) … 2 of 5");
}

TEST_CASE("Boxes of the same terms are one sum; one of which nothing is known is like no other") {
  InspectedSums sums = test::nine_boxes();
  sums.parts[1].terms = sums.parts[4].terms;
  sums.parts[2].reason = sums.parts[3].reason = "too many terms to show";
  const Summation summation = summation_of(sums);
  CHECK(summation.formulas == 8);
  CHECK(summation.boxes[1].formula == summation.boxes[4].formula);
  CHECK(summation.boxes[2].formula != summation.boxes[3].formula);
  CHECK(grid_of(summation, {}).elements_in(State::Unknown) == 4 * (1 + 6));
}

TEST_CASE("Sums that move in steps are told as such, and gaps between taps are kept") {
  using Index = InspectedTerm::Index;
  const auto read = [](Index index) {
    return InspectedTerm{true, "1", {{"X", {std::move(index)}}}, {{0, 5}}};
  };
  const auto words = [&](std::vector<InspectedTerm> terms) {
    const InspectedSums sums{{{{20}}}, {{{{0}, {20}}, std::move(terms), {}}}, {}};
    const Summation summation = summation_of(sums);
    return interval_in_words(summation.boxes[0].sums[0], summation.basis);
  };
  CHECK(words({read({0, {{0, 1}}, {{0, 1}}})}) == "axis 0 + [0,4]");
  CHECK(words({read({0, {{0, 2}}, {{0, 1}}})}) == "axis 0 + some of [0,8]");
  CHECK(words({read({-2, {}, {{0, 1}}}), read({0, {}, {{0, 1}}}), read({2, {}, {{0, 1}}})}) ==
        "axis 0 + {-2, 0, 2}");
  CHECK(words({read({0, {}, {{0, 1}}})}) == "none");
}

TEST_CASE("In digits a whole axis goes by its name") {
  const InspectedTerm term{
      true,
      "1",
      {{"X",
        {InspectedTerm::Index{1, {}, {{0, 2}, {1, 1}}}, InspectedTerm::Index{3, {}, {{1, 4}}}}}},
      {}};
  const InspectedSums sums{{{{8, 2}, {5}}}, {{{{0, 0, 0}, {8, 2, 5}}, {term}, {}}}, {}};
  const Summation summation = summation_of(sums);
  CHECK(interval_in_words(summation.boxes[0].sums[0], summation.basis) == "row + 1, 4 row_in + 3");
}

TEST_CASE(
    "In the picture a box is drawn once in a plane, with a mark for every tap, and those of its "
    "sum are marked along") {
  const Summation summation = summation_of(test::nine_boxes());
  const QuotientGrid grid = grid_of(summation, {});
  BoxesDrawing how;
  how.names = digit_names(grid.basis());
  how.selected = 4;
  how.formula = summation.boxes[4].formula;
  const Slices slices = slices_of(grid, plane_of_axes(grid), 1000, Drawn::All);
  CHECK(slices.distinct.size() == 1);
  const Scene scene = boxes_scene(summation, grid, slices, how);
  std::set<std::string> boxes;
  std::size_t taken = 0, left_out = 0;
  for (const Item& item : scene.items) {
    if (item.id.starts_with("box:")) CHECK(boxes.insert(item.id).second);
    const auto* area = std::get_if<Area>(&item.shape);
    if (area != nullptr && area->role == Role::Corrected) ++taken;
    const auto* line = std::get_if<Segment>(&item.shape);
    if (line != nullptr && line->role == Role::Unknown) ++left_out;
    if (area != nullptr)
      CHECK((area->at.x >= 0 && area->at.y >= 0 && area->at.right() <= scene.width &&
             area->at.bottom() <= scene.height));
  }
  CHECK(boxes.size() == 9);
  CHECK(taken == 4 * 4 + 4 * 6 + 9);
  CHECK(left_out == 4 * 5 + 4 * 3);
}

}  // namespace
}  // namespace pet::viz
