// Every element looked at by itself agrees with the boxes of the region engine, which looks at
// none.
#include "verify/inspect/ground_truth.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/onnx/text.h"
#include "verify/inspect/region_inspector.h"

using namespace pet;

namespace {

std::vector<char> wrong_points(const InspectedOutput& output) {
  Region wrong{output.basis, {}};
  for (const InspectedBox& box : output.boxes)
    if (box.sameness == Sameness::Different) wrong.boxes.push_back(box.box);
  return wrong.points();
}

bool is_decided(const InspectedOutput& output) {
  return output.reason.empty() && std::ranges::none_of(output.boxes, [](const InspectedBox& box) {
           return box.sameness == Sameness::Unknown;
         });
}

TEST_CASE("Of all mutants no element is wrong and uncovered, and none covered and right") {
  std::size_t compared = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PET_CASES) / "mutants")) {
    INFO(entry.path().string());
    const auto file = read_case(entry.path());
    REQUIRE(file.ok());
    const Graph &original = file->original.graph, &mutant = file->mutant.graph;
    const auto seen = RegionInspector().boxes(original, mutant, {});
    if (!seen || !is_decided(seen->front())) continue;
    const auto truth = ground_truth(original, mutant, 0, {});
    INFO((truth ? "" : truth.error().message));
    REQUIRE(truth.ok());
    const auto wrong = wrong_points(seen->front());
    REQUIRE(truth->equal_at.size() == wrong.size());
    for (std::size_t i = 0; i < wrong.size(); ++i)
      if ((truth->equal_at[i] != 0) == (wrong[i] != 0)) FAIL("element " << i);
    ++compared;
  }
  CHECK(compared == 25);  // all but the one whose output is of another shape
}

TEST_CASE("What nobody can decide is an error, and so is a stop") {
  const auto file = read_case(std::filesystem::path(PET_CASES) / "mutants/figure_1.txt");
  REQUIRE(file.ok());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = ground_truth(file->original.graph, file->mutant.graph, 0, stop.get_token());
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().kind == ErrorKind::Stopped);
  CHECK_FALSE(ground_truth(file->original.graph, file->mutant.graph, 7, {}).ok());
}

}  // namespace
