// Regions in words.
#include "core/program/region_words.h"

#include <catch2/catch.hpp>

using namespace pet;

namespace {

Region region(std::vector<Shape> digits, std::vector<Box> boxes) {
  return {{std::move(digits)}, std::move(boxes)};
}

}  // namespace

TEST_CASE("Joined images differ in rows of even and of odd ones") {
  // Two and two images of 14 rows one above the other, by digits and by boxes.
  const std::string words = "row 13 of even images, row 0 of odd images: 1/14 of the output";
  CHECK(in_words(region({{2, 2}, {3}, {14}, {14}}, {{{0, 0, 0, 13, 0}, {2, 1, 3, 14, 14}},
                                                    {{0, 1, 0, 0, 0}, {2, 2, 3, 1, 14}}})) ==
        words);
  CHECK(in_words(region({{4}, {3}, {14}, {14}}, {{{0, 0, 13, 0}, {1, 3, 14, 14}},
                                                 {{1, 0, 0, 0}, {2, 3, 1, 14}},
                                                 {{2, 0, 13, 0}, {3, 3, 14, 14}},
                                                 {{3, 0, 0, 0}, {4, 3, 1, 14}}})) == words);
}

TEST_CASE("Indices are said as briefly as they can be") {
  const auto rows = [](Dim from, Dim to) {
    return in_words(region({{10}, {5}}, {{{from, 0}, {to, 5}}}));
  };
  CHECK(rows(0, 10) == "everything: the whole output");
  CHECK(rows(0, 3) == "the first 3 rows: 3/10 of the output");
  CHECK(rows(8, 10) == "the last 2 rows: 1/5 of the output");
  CHECK(rows(2, 5) == "rows 2 to 4: 3/10 of the output");
  CHECK(rows(4, 5) == "row 4: 1/10 of the output");
  const auto columns = [](const std::vector<Dim>& at) {
    std::vector<Box> boxes;
    for (const Dim column : at) boxes.push_back({{0, column}, {2, column + 1}});
    return in_words(region({{2}, {16}}, boxes));
  };
  CHECK(columns({1, 5, 9}) == "columns 1, 5 and 9: 3/16 of the output");
  CHECK(columns({0, 3, 6, 9, 12, 15}) == "columns 0, 3, 6 ...: 3/8 of the output");
  CHECK(columns({1, 2, 5, 9, 11, 12}) == "6 of the 16 columns: 3/8 of the output");
}

TEST_CASE("Axes without a name are counted") {
  const Region six =
      region({{8}, {2}, {1}, {1}, {1}, {9}},
             {{{4, 0, 0, 0, 0, 0}, {5, 2, 1, 1, 1, 3}}, {{6, 0, 0, 0, 0, 0}, {7, 2, 1, 1, 1, 3}}});
  CHECK(in_words(six) ==
        "the first 3 positions along axis 5 of positions 4 and 6 along axis 0: 1/12 of the output");
  CHECK(in_words(region({{4}, {2}, {5}}, {{{3, 0, 1}, {4, 2, 2}}})) ==
        "column 1 of plane 3: 1/20 of the output");
}

TEST_CASE("What is not short is cut short, and what is too much is not said") {
  std::vector<Box> diagonal;
  for (Dim i = 0; i < 9; ++i) diagonal.push_back({{i, i, 0}, {i + 1, i + 1, 2}});
  CHECK(in_words(region({{9}, {9}, {2}}, diagonal)) ==
        "row 0 of plane 0, row 1 of plane 1, row 2 of plane 2, row 3 of plane 3 and 5 more places: "
        "1/9 of the output");
  CHECK(in_words(region({{10}}, {})).empty());
  CHECK(in_words(region({{100000}}, {{{0}, {1}}})).empty());
}
