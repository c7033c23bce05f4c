#include "viz/geometry/waterfall_scene.h"

#include <catch2/catch.hpp>

#include "viz/geometry/bars.h"

namespace pet::viz {
namespace {

using Kind = FallingBar::Kind;

std::vector<Rect> outlines(const Scene& scene) {
  std::vector<Rect> out;
  for (const Item& item : scene.items) {
    const auto* outline = std::get_if<Outline>(&item.shape);
    if (outline != nullptr && outline->role == Role::Frame) out.push_back(outline->at);
  }
  return out;
}

TEST_CASE("Bars fall from the original's time to the optimised one's, to scale") {
  const Scene scene = waterfall_scene({{Kind::Whole, "original", {}, 0, 20, {}},
                                       {Kind::Saved, "a", {}, 20, 15, "group:0"},
                                       {Kind::Rest, "together", {}, 15, 16, {}},
                                       {Kind::Whole, "optimised", {}, 0, 16, {}}},
                                      1000, "group:0");
  const auto bars = outlines(scene);
  REQUIRE(bars.size() == 4);
  CHECK(bars[1].width == Approx(bars[0].width / 4));
  CHECK(bars[1].right() == Approx(bars[0].right()));
  CHECK(bars[2].x == Approx(bars[1].x));
  CHECK(bars[3].width == Approx(bars[0].width * 0.8));
  CHECK(scene.width == 1000);
  CHECK(waterfall_scene({}, 1000, {}).items.empty());
}

TEST_CASE("What costs time is hatched and says by how much") {
  const Scene scene = waterfall_scene({{Kind::Saved, "worse", {}, 10, 12, {}}}, 800, {});
  bool is_hatched = false, says = false;
  for (const Item& item : scene.items) {
    const auto* line = std::get_if<Segment>(&item.shape);
    is_hatched = is_hatched || (line != nullptr && line->role == Role::Wrong);
    const auto* label = std::get_if<Label>(&item.shape);
    says = says || (label != nullptr && label->text == "+" + ms_in_words(2));
  }
  CHECK(is_hatched);
  CHECK(says);
}

}  // namespace
}  // namespace pet::viz
