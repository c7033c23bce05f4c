#include "viz/geometry/viewport.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "viz/geometry/grid_index.h"

namespace pet::viz {
namespace {

Viewport of(Extent content, Extent window) {
  Viewport out;
  out.set_content(content);
  out.set_window(window);
  return out;
}

TEST_CASE("What is under the pointer stays there while one zooms") {
  Viewport view = of({4000, 6000}, {800, 400});
  view.move_to({1500, 2000});
  const Point before = view.to_scene({300, 100});
  view.zoom(1.25, {300, 100});
  CHECK(view.scale() == 1.25);
  CHECK(view.to_scene({300, 100}).x == Approx(before.x));
  CHECK(view.to_scene({300, 100}).y == Approx(before.y));
  for (int i = 0; i < 100; ++i) view.zoom(0.5, {0, 0});
  CHECK(view.scale() == Viewport::kSmallest);
}

TEST_CASE("No edge comes inside of the window, and what is small stands in its middle") {
  Viewport view = of({4000, 6000}, {800, 400});
  view.move_to({-50, 1e9});
  CHECK(view.origin().x == 0);
  CHECK(view.origin().y == 5600);
  view.set_content({200, 100});
  CHECK(view.origin().x == -300);
  CHECK(view.origin().y == 0);
}

TEST_CASE("All of it fits where that is not too small to be told apart") {
  Viewport view = of({4000, 6000}, {800, 400});
  view.fit();
  CHECK(view.scale() == Approx(400.0 / 6000));
  CHECK(view.visible().bottom() == Approx(6000));
  view.set_content({100, 100});
  view.fit();
  CHECK(view.scale() == 1);
  view.set_content({100, 1e6});
  view.fit();
  CHECK(view.scale() == Viewport::kSmallest);
}

TEST_CASE("What is in view stays where it is, and what is not comes in") {
  Viewport view = of({4000, 6000}, {800, 400});
  view.move_to({100, 100});
  view.reveal({300, 200, 50, 40});
  CHECK(view.origin().x == 100);
  CHECK(view.origin().y == 100);
  view.reveal({2000, 3000, 50, 40});
  CHECK(view.visible().right() >= 2050);
  CHECK(view.visible().bottom() >= 3040);
  CHECK(view.origin().x <= 2000);
  view.reveal({0, 3000, 50, 40});
  CHECK(view.origin().x == 0);
}

TEST_CASE("The index finds what touches a rectangle, as looking at every item does") {
  Rng random(7);
  std::vector<Item> items;
  const auto anywhere = [&] { return 20'000 * random.uniform() - 5'000; };
  for (int i = 0; i < 400; ++i) {
    items.push_back({Area{{anywhere(), anywhere(), 300 * random.uniform(), 90}, Role::Text}});
    items.push_back({Segment{{anywhere(), anywhere()}, {anywhere(), anywhere()}, Role::Text}});
    items.push_back({Label{{anywhere(), anywhere()}, "conv1", Align::Centre}});
  }
  const GridIndex index(items);
  for (int i = 0; i < 50; ++i) {
    const Rect at{anywhere(), anywhere(), 4'000 * random.uniform(), 3'000 * random.uniform()};
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const Rect b = bounds_of(items[k]);
      if (b.x <= at.right() && at.x <= b.right() && b.y <= at.bottom() && at.y <= b.bottom())
        all.push_back(k);
    }
    CHECK(index.touching(at) == all);
  }
  CHECK(GridIndex().touching({0, 0, 10, 10}).empty());
}

}  // namespace
}  // namespace pet::viz
