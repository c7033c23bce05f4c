#include "viz/geometry/region_scene.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/viz/geometry/figure_1.h"
#include "viz/geometry/svg.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

RegionDrawing drawing_of(const QuotientGrid& grid) {
  RegionDrawing out;
  out.names = digit_names(grid.basis());
  return out;
}

std::vector<std::string> words_of(const Scene& scene) {
  std::vector<std::string> out;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item.shape)) out.push_back(label->text);
  return out;
}

bool holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST_CASE("Figure 1 is drawn as two planes, with what is wrong in each and how many look so") {
  const QuotientGrid grid = test::figure_1();
  const Slices slices = slices_of(grid, usual_plane(grid));
  for (const auto scale : {RegionDrawing::Scale::Schematic, RegionDrawing::Scale::True}) {
    RegionDrawing how = drawing_of(grid);
    how.scale = scale;
    const Scene scene = region_scene(grid, slices, how);
    const auto words = words_of(scene);
    CHECK(holds(words, "n_in = 0   x512 slices"));
    CHECK(holds(words, "n_in = 1   x512 slices"));
    CHECK(holds(words, "2 of 2 distinct slices shown, of 1024 in all"));
    std::set<std::string> boxes;
    for (const Item& item : scene.items)
      if (item.id.starts_with("box:")) boxes.insert(item.id);
    CHECK(boxes == std::set<std::string>{"box:0", "box:1"});
  }
}

TEST_CASE("Nothing is drawn outside of the scene") {
  const QuotientGrid grid = test::figure_1();
  const Scene scene = region_scene(grid, slices_of(grid, usual_plane(grid)), drawing_of(grid));
  const auto is_inside = [&](double x, double y) {
    return x >= 0 && y >= 0 && x <= scene.width && y <= scene.height;
  };
  for (const Item& item : scene.items) {
    if (const auto* area = std::get_if<Area>(&item.shape))
      CHECK((is_inside(area->at.x, area->at.y) && is_inside(area->at.right(), area->at.bottom())));
    if (const auto* line = std::get_if<Segment>(&item.shape))
      CHECK((is_inside(line->from.x, line->from.y) && is_inside(line->to.x, line->to.y)));
  }
}

TEST_CASE("Of more slices than are drawn the scene says how many there are") {
  std::vector<StatedBox> boxes;
  for (Dim i = 0; i < 70; ++i) boxes.push_back({{{i, i, 0}, {i + 1, i + 1, 1}}, State::Wrong});
  const QuotientGrid grid({{{70}, {70}, {2}}}, std::move(boxes));
  const auto words = words_of(region_scene(grid, slices_of(grid, {1, 2}), drawing_of(grid)));
  CHECK(holds(words, "64 of 70 distinct slices shown, of 70 in all"));
}

TEST_CASE("Hatching stays inside of its rectangle and meets that of its neighbour") {
  const Rect left{10, 20, 31, 17}, right{41, 20, 9, 17};
  std::set<std::pair<double, double>> ends;
  for (const Segment& s : hatch(left, Role::Wrong)) {
    CHECK((s.from.x >= left.x && s.to.x <= left.right() && s.from.y <= left.bottom() &&
           s.to.y >= left.y));
    if (s.to.x == left.right()) ends.insert({s.to.x, s.to.y});
  }
  REQUIRE(ends.size() > 1);
  for (const Segment& s : hatch(right, Role::Wrong))
    if (s.from.x == right.x && s.from.y < right.bottom())
      CHECK(ends.contains({s.from.x, s.from.y}));
}

TEST_CASE("Names of an SVG cannot become markup") {
  Scene scene{
      10, 10, {{Label{{1, 1}, "<script>\x1b[31m&\"", Align::Left, Role::Text, 12}, "", "<b>"}}};
  const std::string svg = to_svg(scene, Theme::light());
  CHECK(svg.find("&lt;script&gt; [31m&amp;&quot;") != std::string::npos);
  CHECK(svg.find("<script>") == std::string::npos);
  CHECK(svg.find("<title>&lt;b&gt;</title>") != std::string::npos);
}

}  // namespace
}  // namespace pet::viz
