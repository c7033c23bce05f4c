#include "viz/geometry/bars.h"

#include <catch2/catch.hpp>
#include <limits>

namespace pet::viz {
namespace {

const Bar kMeasured{.source = Source::Measured,
                    .ms = 2,
                    .bounds = Bounds{1.5, 2.5},
                    .samples = 64,
                    .share = 0.5,
                    .calls = 3};

std::vector<std::string> labels_of(const Scene& scene) {
  std::vector<std::string> out;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item.shape)) out.push_back(label->text);
  return out;
}

bool has_label(const Scene& scene, const std::string& text) {
  const auto labels = labels_of(scene);
  return std::ranges::find(labels, text) != labels.end();
}

// Of the lines that a hatch is made of.
std::size_t slanted(const Scene& scene) {
  return static_cast<std::size_t>(std::ranges::count_if(scene.items, [](const Item& item) {
    const auto* line = std::get_if<Segment>(&item.shape);
    return line != nullptr && line->from.x != line->to.x && line->from.y != line->to.y;
  }));
}

// Filled with the colour of the first or of the second program.
std::vector<double> lengths_of(const Scene& scene, Role role) {
  std::vector<double> out;
  for (const Item& item : scene.items) {
    const auto* area = std::get_if<Area>(&item.shape);
    if (area != nullptr && area->role == role && area->at.width != 30)
      out.push_back(area->at.width);
  }
  return out;  // those of the legend are 30 wide
}

TEST_CASE("A bar says its number, its bounds, and where they come from") {
  CHECK(in_words(kMeasured) == "2.00 ms (1.5 to 2.5), 50.0 %, measured, 3 calls, n = 64");
  CHECK(in_words(Bar{.source = Source::Modelled, .ms = 0.0421}) == "0.042 ms, modelled");
  CHECK(in_words(Bar{.source = Source::Remembered, .ms = 123.4}) == "123 ms, remembered");
  CHECK(in_words(Bar{.why = "not offered"}) == "missing: not offered");
  CHECK(in_words(Bar{.source = Source::None}) == "none");
  CHECK(in_words(Bar{.source = Source::Measured, .ms = -0.5}) ==
        "-0.500 ms: the others are more than a run, measured");
}

TEST_CASE("Bars are as long as their times say, on an axis that begins at zero") {
  const BarChart chart{
      {"a", "b"}, {{"Runs", {{"row", "", {kMeasured, Bar{.source = Source::Measured, .ms = 1}}}}}}};
  const Scene scene = bars_scene(chart, {.width = 900});
  const auto first = lengths_of(scene, Role::Frame), second = lengths_of(scene, Role::Selected);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(first[0] == Approx(2 * second[0]));
  CHECK(has_label(scene, "0"));
  CHECK(has_label(scene, "a"));
  CHECK(has_label(scene, "b"));
}

TEST_CASE(
    "What is missing is hatched and says why; a program without such an operator has no bar") {
  const BarChart chart{
      {"a", "b"},
      {{"Runs", {{"row", "", {Bar{.why = "nobody asked"}, Bar{.source = Source::None}}}}}}};
  const BarChart without{{"a", "b"}, {}};
  const Scene scene = bars_scene(chart, {});
  CHECK(slanted(scene) > slanted(bars_scene(without, {})));
  CHECK(has_label(scene, "missing: nobody asked"));
  CHECK(has_label(scene, "none"));
  CHECK(lengths_of(scene, Role::Frame).empty());
  CHECK(lengths_of(scene, Role::Selected).empty());
  CHECK_FALSE(has_label(scene, "ms"));  // an axis would say that something has a length
}

TEST_CASE("Bounds that are far away leave the bars as long, and everything in the picture") {
  Bar far = kMeasured;
  far.bounds = Bounds{0, std::numeric_limits<double>::infinity()};
  const Scene scene = bars_scene({{"a"}, {{"Runs", {{"row", "", {far}}}}}}, {.width = 900});
  const auto lengths = lengths_of(scene, Role::Frame);
  REQUIRE(lengths.size() == 1);
  CHECK(lengths[0] > 200);
  for (const Item& item : scene.items) {
    if (const auto* line = std::get_if<Segment>(&item.shape)) CHECK(line->to.x <= scene.width);
  }
}

TEST_CASE("A long list is cut, and says of how many") {
  BarGroup group{"Operators", {}};
  for (int i = 0; i < 210; ++i)
    group.rows.push_back({"node " + std::to_string(i), "", {kMeasured}});
  const Scene scene = bars_scene({{"a"}, {group}}, {});
  CHECK(has_label(scene, "64 of 210 shown, the longest first; the table has all"));
  CHECK(has_label(scene, "node 63"));
  CHECK_FALSE(has_label(scene, "node 64"));
}

TEST_CASE("Long names keep their ends, whole characters only") {
  const std::string name = "/a/very/long/name/of/a/layer/in/a/network/älter/Conv";
  const Scene scene = bars_scene({{"a"}, {{"Runs", {{name, "", {kMeasured}}}}}}, {});
  const auto labels = labels_of(scene);
  CHECK(std::ranges::any_of(labels, [](const std::string& text) {
    return text.starts_with("…") && text.ends_with("/älter/Conv");
  }));
}

TEST_CASE("A row is there to be clicked from end to end, behind its bars") {
  const Scene scene = bars_scene({{"a"}, {{"Runs", {{"row", "", {kMeasured}}}}}}, {.width = 900});
  const auto plate = std::ranges::find(scene.items, "row:0:0", &Item::id);
  REQUIRE(plate != scene.items.end());
  CHECK(std::get<Area>(plate->shape).at.width > 800);
  for (auto item = scene.items.begin(); item != plate; ++item) {
    const auto* line = std::get_if<Segment>(&item->shape);
    CHECK((line == nullptr || line->from.y < std::get<Area>(plate->shape).at.y));
  }
}

TEST_CASE("An item of a row names its place") {
  CHECK(place_of("row:1:23") == BarPlace{1, 23});
  for (const std::string id : {"", "row:", "row:1", "row:1:", "row:1:x", "row:1:2 ", "box:1:2"})
    CHECK_FALSE(place_of(id));
}

}  // namespace
}  // namespace pet::viz
