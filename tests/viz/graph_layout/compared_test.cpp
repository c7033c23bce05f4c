#include "viz/graph_layout/compared.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

namespace pet::viz {
namespace {

// x -> Relu, Tanh, Relu ... with two Transposes before each of `turned`. Every fourth node is added
// to the one four before.
Graph chain(std::size_t length, const std::set<std::size_t>& turned) {
  GraphBuilder builder;
  NodeId value = builder.add_input("x", float_tensor({3, 3}));
  NodeId skipped = value;
  const auto op = [&](const char* name, std::vector<NodeId> operands, Attrs attrs = {}) {
    auto made = builder.add(*ops::find(name), std::move(attrs), std::move(operands));
    REQUIRE(made.ok());
    return *made;
  };
  for (std::size_t i = 0; i < length; ++i) {
    if (turned.contains(i))
      for (int twice = 0; twice < 2; ++twice)
        value = op("Transpose", {value}, {{"perm", Ints{1, 0}}});
    value = op(i % 2 == 0 ? "Relu" : "Tanh", {value});
    if (i % 4 != 3) continue;
    value = op("Add", {value, skipped});
    skipped = value;
  }
  builder.add_output(value);
  return std::move(builder).build();
}

std::size_t slots(const FoldedGraph& side) {
  return static_cast<std::size_t>(
      std::ranges::count(side.nodes, DrawnNode::Kind::Slot, &DrawnNode::kind));
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TEST_CASE("What is unchanged stands at one place of both pictures; what is not leaves a gap") {
  const Graph here = chain(12, {}), there = chain(12, {6});
  const Counterparts found = counterparts(here, there);
  const ComparedGraph graph = compared(here, there, found, {.all = false});
  CHECK(graph.cells.size() == 12 + 3 + 1 + 2);
  CHECK(slots(graph.here) == 2);
  CHECK(slots(graph.there) == 0);
  const ComparedDrawing drawing = drawing_of(graph);
  CHECK(drawing.here.width == drawing.there.width);
  CHECK(drawing.here.height == drawing.there.height);
  for (std::size_t i = 0; i < drawing.places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(drawing.places[i], drawing.places[j]));
  const auto area = [](const Scene& scene, const std::string& id) {
    return std::get<Area>(std::ranges::find(scene.items, id, &Item::id)->shape).at;
  };
  for (std::size_t i = 0; i < graph.cells.size(); ++i) {
    const std::string id = "cell:" + std::to_string(i);
    CHECK(area(drawing.here, id).y == area(drawing.there, id).y);
    CHECK(area(drawing.here, id).x == area(drawing.there, id).x);
  }
}

TEST_CASE("Runs of what is unchanged are folded but for what a change touches, and opened alone") {
  const Graph here = chain(40, {}), there = chain(40, {20});
  const Counterparts found = counterparts(here, there);
  FoldRuns fold;
  const ComparedGraph folded = compared(here, there, found, fold);
  CHECK(folded.cells.size() < 10);
  std::size_t runs = 0, nodes = 0;
  for (const ComparedCell& cell : folded.cells) {
    CHECK(cell.here.size() == (cell.change ? 0 : cell.there.size()));
    nodes += cell.here.size();
    if (cell.is_run()) ++runs;
    if (cell.is_run()) fold.opened = {*cell.run};
  }
  CHECK(runs == 2);
  CHECK(nodes == here.nodes().size());
  const ComparedGraph opened = compared(here, there, found, fold);
  CHECK(opened.cells.size() > folded.cells.size());
  CHECK(std::ranges::count_if(opened.cells, &ComparedCell::is_run) == 1);
}

TEST_CASE("A program beside itself is one run") {
  const Graph program = chain(40, {});
  const ComparedGraph graph = compared(program, program, counterparts(program, program), {});
  REQUIRE(graph.cells.size() == 1);
  CHECK(graph.here.nodes[0].title == "51 unchanged nodes");
}

TEST_CASE("However many places differ, folded pictures have no cycle") {
  for (const std::set<std::size_t>& turned :
       {std::set<std::size_t>{0}, {3, 4, 5}, {1, 9, 17, 25}, {7, 8}, {39}}) {
    const Graph here = chain(40, {2, 30}), there = chain(40, turned);
    const ComparedGraph graph = compared(here, there, counterparts(here, there), {});
    CHECK(drawing_of(graph).places.size() == graph.cells.size());
  }
}

TEST_CASE("Both pictures become one, below their titles") {
  const Graph here = chain(4, {}), there = chain(4, {2});
  const ComparedDrawing drawing = drawing_of(compared(here, there, counterparts(here, there), {}));
  const Scene both = side_by_side(drawing.here, "original", drawing.there, "other");
  CHECK(both.width > 2 * drawing.here.width);
  CHECK(both.height > drawing.here.height);
  CHECK(side_by_side({}, "a", {}, "b").items.empty());
}

TEST_CASE("Ten thousand nodes are folded and laid out") {
  const Graph here = chain(8'000, {}), there = chain(8'000, {100, 4'000, 7'900});
  const Counterparts found = counterparts(here, there);
  CHECK(found.changes.size() == 3);
  CHECK(compared(here, there, found, {}).cells.size() < 30);
  const ComparedGraph all = compared(here, there, found, {.all = false});
  CHECK(drawing_of(all).places.size() == 10'007);
}

}  // namespace
}  // namespace pet::viz
