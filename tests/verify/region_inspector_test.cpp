// What is shown is what is proved: on every case the boxes that the inspector calls equal are where
// the checker finds the programs equal, and nothing else.
#include "verify/inspect/region_inspector.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/onnx/text.h"
#include "verify/region/region_engine.h"

using namespace pet;

namespace {

Region not_equal(const InspectedOutput& output) {
  Region out{output.basis, {}};
  for (const InspectedBox& box : output.boxes)
    if (box.sameness != Sameness::Equal) out.boxes.push_back(box.box);
  return out;
}

Dim volume(const InspectedOutput& output) {
  Dim out = 0;
  for (const InspectedBox& box : output.boxes) out += box.box.volume();
  return out;
}

CaseFile figure_1() {
  auto file = read_case(std::filesystem::path(PET_CASES) / "mutants/figure_1.txt");
  REQUIRE(file.ok());
  return *std::move(file);
}

TEST_CASE(
    "Boxes cover every output once, and what is not equal is the checker's region, as a set of "
    "points") {
  std::size_t compared = 0;
  for (const char* folder : {"mutants", "ops"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(PET_CASES) / folder)) {
      INFO(entry.path().string());
      const auto file = read_case(entry.path());
      if (!file) continue;
      const auto seen = RegionInspector().boxes(file->original.graph, file->mutant.graph, {});
      const auto proved = not_shown_equal(file->original.graph, file->mutant.graph, {});
      if (!seen || !proved) continue;
      REQUIRE(seen->size() == proved->size());
      for (std::size_t i = 0; i < seen->size(); ++i) {
        if ((*seen)[i].basis.digits.empty()) continue;
        CHECK((*seen)[i].reason.empty());
        CHECK(volume((*seen)[i]) == count((*seen)[i].basis.flat()));
        CHECK(not_equal((*seen)[i]).points() == (*proved)[i].points());
        CHECK((*seen)[i].wrong.points() == (*proved)[i].points());
      }
      ++compared;
    }
  }
  CHECK(compared >= 80);
}

TEST_CASE("Figure 1 is wrong in column 55 of even images and column 0 of odd ones") {
  const CaseFile pair = figure_1();
  const auto seen = RegionInspector().boxes(pair.original.graph, pair.mutant.graph, {});
  REQUIRE(seen.ok());
  REQUIRE(seen->size() == 1);
  const Region wrong = not_equal(seen->front());
  CHECK(wrong.volume() * 112 == 2 * volume(seen->front()));
  CHECK(seen->front().wrong.boxes.size() == 2);
  CHECK(wrong.basis.flat() == Shape{8, 2, 2, 56, 56});
}

TEST_CASE(
    "At the seam of Figure 1 the mutant reads the neighbouring image, and the original has zeros "
    "there") {
  const CaseFile pair = figure_1();
  const auto at = [&](const Shape& position) {
    auto terms = RegionInspector().terms(pair.original.graph, pair.mutant.graph, 0, position, {});
    REQUIRE(terms.ok());
    return *std::move(terms);
  };
  // Row 55 of image 0: row 0 of image 1 comes in through the lowest row of the kernel.
  const InspectedTerms seam = at({0, 1, 55, 7});
  CHECK(seam.original == 2 * 2 * 3);
  CHECK(seam.mutant == 2 * 3 * 3);
  REQUIRE_FALSE(seam.differing.empty());
  double products = 0;
  for (const InspectedTerm& term : seam.differing) {
    CHECK_FALSE(term.is_of_original);
    CHECK(term.coefficient == "1");
    REQUIRE(term.factors.size() == 2);
    for (const InspectedTerm::Factor& factor : term.factors) {
      const bool is_image = factor.value == "X";
      CHECK((is_image || factor.value == "W"));
      // Image 1, and the lowest row of the kernel.
      CHECK(factor.index[is_image ? 0 : 2].of_sums.empty());
      CHECK(factor.index[is_image ? 0 : 2].constant == (is_image ? 1 : 2));
    }
    double here = 1;
    for (const auto& [low, high] : term.sums) here *= static_cast<double>(high - low);
    products += here;
  }
  CHECK(products == 6);
  CHECK(at({0, 1, 54, 7}).differing.empty());
}

TEST_CASE("Whoever stops gets no answer, and programs that do not fit an error") {
  const CaseFile pair = figure_1();
  std::stop_source stop;
  stop.request_stop();
  const auto stopped =
      RegionInspector().boxes(pair.original.graph, pair.mutant.graph, stop.get_token());
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().kind == ErrorKind::Stopped);
  const auto other = read_case(std::filesystem::path(PET_CASES) / "mutants/d3_pad_and_crop.txt");
  REQUIRE(other.ok());
  CHECK_FALSE(RegionInspector().boxes(pair.original.graph, other->mutant.graph, {}).ok());
}

}  // namespace
