#include "viz/geometry/rounds_scene.h"

#include <catch2/catch.hpp>
#include <set>

namespace pet::viz {
namespace {

DrawnColumn column_of(std::size_t cards, std::size_t chosen) {
  DrawnRound round{"round 1", {}};
  for (std::size_t i = 0; i < cards; ++i)
    round.cards.push_back({"mutant:" + std::to_string(i), "M" + std::to_string(i), "waits"});
  if (chosen < cards) round.cards[chosen].is_chosen = true;
  return {"S0", "Conv at y", {round}};
}

std::set<std::string> drawn(const Scene& scene) {
  std::set<std::string> out;
  for (const Item& item : scene.items)
    if (!item.id.empty()) out.insert(item.id);
  return out;
}

bool says(const Scene& scene, const std::string& words) {
  for (const Item& item : scene.items) {
    const auto* label = std::get_if<Label>(&item.shape);
    if (label != nullptr && label->text == words) return true;
  }
  return false;
}

TEST_CASE("What is cut off a round is said, and the chosen and the selected card are drawn") {
  const Scene scene = rounds_scene({column_of(30, 25)}, "mutant:29", 4);
  CHECK(drawn(scene) == std::set<std::string>{"mutant:0", "mutant:1", "mutant:25", "mutant:29"});
  CHECK(says(scene, "round 1; 4 of 30 shown"));
  CHECK(says(scene, "in the plan"));
}

TEST_CASE("A round that is drawn whole says nothing of it, and all lies inside of the scene") {
  const Scene scene = rounds_scene({column_of(3, 9), column_of(1, 0)}, "");
  CHECK(says(scene, "round 1"));
  for (const Item& item : scene.items) {
    const auto* area = std::get_if<Area>(&item.shape);
    if (area == nullptr) continue;
    CHECK(area->at.x >= 0);
    CHECK(area->at.right() <= scene.width);
    CHECK(area->at.bottom() <= scene.height);
  }
}

}  // namespace
}  // namespace pet::viz
