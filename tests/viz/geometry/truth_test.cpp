#include "viz/geometry/truth.h"

#include <catch2/catch.hpp>

#include "viz/geometry/region_scene.h"

namespace pet::viz {
namespace {

// Of [4·2, 3]: the last column of even rows is said to be wrong.
QuotientGrid grid() {
  return {{{{4, 2}, {3}}},
          {{{{0, 0, 2}, {4, 1, 3}}, State::Wrong},
           {{{0, 0, 0}, {4, 1, 2}}, State::Equal},
           {{{0, 1, 0}, {4, 2, 3}}, State::Equal}}};
}

std::vector<char> equal_but(const std::vector<std::size_t>& wrong) {
  std::vector<char> out(24, 1);
  for (const std::size_t at : wrong) out[at] = 0;
  return out;
}

TEST_CASE("Boxes that are right about every element say nothing more") {
  // Rows 0, 2, 4, 6 at column 2.
  const auto truth = truth_of(grid(), equal_but({2, 8, 14, 20}));
  const TruthCounts counts = counts_of(grid(), truth);
  CHECK(counts.covered == 4);
  CHECK(counts.uncovered == 0);
  CHECK(counts.wasted == 0);
  CHECK(counts.equal == 20);
  CHECK(in_words(counts) ==
        "4 wrong and covered, 0 wrong and uncovered, 0 covered and right, 20 right");
  for (std::size_t i = 0; i < truth.size(); ++i)
    CHECK(finding_of(grid().boxes()[i], truth[i]).empty());
}

TEST_CASE("What is wrong and uncovered, or covered and right, is counted and named") {
  // Row 0 is right after all, and row 1 is wrong at its first column.
  const auto truth = truth_of(grid(), equal_but({3, 8, 14, 20}));
  const TruthCounts counts = counts_of(grid(), truth);
  CHECK(counts.covered == 3);
  CHECK(counts.uncovered == 1);
  CHECK(counts.wasted == 1);
  CHECK(counts.equal == 19);
  CHECK(finding_of(grid().boxes()[0], truth[0]) == "1 covered and right");
  CHECK(finding_of(grid().boxes()[1], truth[1]).empty());
  CHECK(finding_of(grid().boxes()[2], truth[2]) == "1 wrong and uncovered");
}

TEST_CASE("A finding is drawn in its box") {
  RegionDrawing drawing;
  drawing.names = {"n_out", "n_in", "w"};
  drawing.findings = {"1 covered and right", "", ""};
  const auto says = [&] {
    const Scene scene = region_scene(grid(), slices_of(grid(), {1, 2}), drawing);
    for (const Item& item : scene.items) {
      const auto* label = std::get_if<Label>(&item.shape);
      if (label != nullptr && label->text == "1 covered and right") return true;
    }
    return false;
  };
  CHECK(says());
  drawing.findings = {"", "", ""};
  CHECK_FALSE(says());
}

}  // namespace
}  // namespace pet::viz
