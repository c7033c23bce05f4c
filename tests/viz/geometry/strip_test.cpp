#include "viz/geometry/strip.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

Strip walk(std::size_t first, std::size_t shown, std::size_t all) {
  Strip out;
  for (std::size_t i = first; i < first + shown; ++i)
    out.marks.push_back({i % 3, Role::Text, true, "node:" + std::to_string(i)});
  out.first = first;
  out.all = all;
  out.deepest = 4;
  return out;
}

std::string words_of(const Scene& scene) { return std::get<Label>(scene.items.back().shape).text; }

std::vector<Outline> frames(const Scene& scene) {
  std::vector<Outline> out;
  for (const Item& item : scene.items)
    if (const auto* outline = std::get_if<Outline>(&item.shape)) out.push_back(*outline);
  return out;
}

TEST_CASE("A strip says which marks of how many are drawn") {
  CHECK(words_of(strip_scene(walk(0, 10, 10), 400, "nodes")).find("10 nodes, in") == 0);
  CHECK(words_of(strip_scene(walk(9'800, 200, 10'000), 400, "nodes"))
            .find("the last 200 of 10,000 nodes") == 0);
  CHECK(words_of(strip_scene(walk(1'200, 200, 10'000), 400, "nodes"))
            .find("1,201 to 1,400 of 10,000 nodes") == 0);
}

TEST_CASE("The last marks are drawn, or those from the one that has to be seen") {
  CHECK(room_of_strip(400) == 200);
  CHECK(first_of_strip(10, 200, std::nullopt) == 0);
  CHECK(first_of_strip(10, 200, 7) == 0);
  CHECK(first_of_strip(1'000, 200, std::nullopt) == 800);
  CHECK(first_of_strip(1'000, 200, 900) == 800);
  CHECK(first_of_strip(1'000, 200, 90) == 90);
}

TEST_CASE("What is selected is framed, from top to bottom of the strip") {
  Strip strip = walk(0, 10, 10);
  CHECK(frames(strip_scene(strip, 400, "nodes")).empty());
  strip.selected = "node:4";
  const Scene scene = strip_scene(strip, 400, "nodes");
  const auto frame = frames(scene);
  REQUIRE(frame.size() == 1);
  CHECK(frame[0].role == Role::Selected);
  const Rect& mark = std::get<Area>(scene.items[4].shape).at;
  CHECK(frame[0].at.x < mark.x);
  CHECK(frame[0].at.right() > mark.right());
  CHECK(frame[0].at.height > 4 * mark.height);
  strip.selected = "node:40";  // is not drawn
  CHECK(frames(strip_scene(strip, 400, "nodes")).empty());
}

}  // namespace
}  // namespace pet::viz
