#include "viz/geometry/minimap.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

// Nodes one below the other, an edge between each two.
Scene chain(std::size_t length) {
  Scene out;
  for (std::size_t i = 0; i < length; ++i) {
    const double y = 80 * static_cast<double>(i);
    const Rect at{16, y, 120, 40};
    if (i > 0) out.items.push_back({Segment{{76, y - 40}, {76, y}}});
    out.items.push_back({Area{at, Role::Surface}, "node:" + std::to_string(i)});
    out.items.push_back({Outline{at, Role::Frame}});
    out.items.push_back({Label{{20, y + 20}, "Relu"}});
  }
  out.width = 152;
  out.height = 80 * static_cast<double>(length);
  return out;
}

TEST_CASE("A map shows frames as blocks and edges as lines, in proportion, and no words") {
  const Scene large = chain(4);
  const Minimap map = minimap_of(large, {160, 160});
  CHECK(map.scene.width == Approx(152 * 0.5));
  CHECK(map.scene.height == Approx(160));
  std::size_t blocks = 0, lines = 0;
  for (const Item& item : map.scene.items) {
    blocks += std::holds_alternative<Area>(item.shape) ? 1U : 0U;
    lines += std::holds_alternative<Segment>(item.shape) ? 1U : 0U;
  }
  CHECK(blocks == 4);
  CHECK(lines == 3);
  CHECK(map.scene.items.size() == 7);
}

TEST_CASE("Of a hundred thousand nodes a few hundred blocks stay, inside of the map") {
  const Scene large = chain(100'000);
  const Minimap map = minimap_of(large, {160, 200});
  CHECK(map.scene.items.size() < 1'000);
  CHECK(map.scene.items.size() > 50);
  CHECK(map.scene.width == 24);
  for (const Item& item : map.scene.items) {
    const auto* block = std::get_if<Area>(&item.shape);
    REQUIRE(block != nullptr);
    CHECK(block->at.width >= 2);
    CHECK(block->at.right() <= map.scene.width + 1e-9);
    CHECK(block->at.bottom() <= map.scene.height + 1e-9);
  }
}

TEST_CASE("A place of the map is a place of the scene, and back") {
  const Minimap map = minimap_of(chain(1'000), {160, 200});
  const Rect seen{0, 40'000, 152, 8'000};
  const Rect there = map.at(seen);
  const Point back = map.large({there.x, there.y});
  CHECK(back.x == Approx(seen.x));
  CHECK(back.y == Approx(seen.y));
  CHECK(minimap_of({}, {160, 200}).scene.items.empty());
}

}  // namespace
}  // namespace pet::viz
