#include "core/program/reach.h"

#include <algorithm>

#include "tests/core/program/programs.h"

using namespace pet;
using namespace pet::test;

namespace {

// Sums of two earlier values, most of them near, every fifth one behind a function.
Graph random_program(Rng& rng, std::size_t operators) {
  Programs p;
  std::vector<NodeId> values = {p.input({2}), p.input({2})};
  for (std::size_t i = 0; i < operators; ++i) {
    const std::size_t near =
        rng.below(50) == 0 ? values.size() : std::min<std::size_t>(8, values.size());
    const NodeId a = values[values.size() - 1 - rng.below(near)];
    const NodeId b = values[values.size() - 1 - rng.below(near)];
    values.push_back(i % 5 == 4 ? p.relu(a) : p.add(a, b));
  }
  p.output(values.back());
  return std::move(p).build();
}

// By node: bit 1 where it depends on `from`, bit 2 where some way there passes what is not linear.
std::vector<int> ways_from(const Graph& graph, NodeId from, const std::vector<char>& linear) {
  std::vector<int> out(graph.nodes().size(), 0);
  for (const NodeId id : graph.ids()) {
    for (const NodeId operand : graph.node(id).operands) {
      if (operand == from) out[id.index()] |= 1;
      if ((out[operand.index()] & 1) == 0) continue;
      out[id.index()] |= linear[operand.index()] != 0 ? out[operand.index()] : 3;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("What depends on what is known across thousands of operators") {
  Rng rng(7);
  const Graph graph = random_program(rng, 4000);
  std::vector<NodeId> linear;
  std::vector<char> is_linear(graph.nodes().size(), 0);
  for (const NodeId id : graph.ids()) {
    const Op* op = graph.node(id).op();
    if (op == nullptr || op->def != &ops::add()) continue;
    is_linear[id.index()] = 1;
    linear.push_back(id);
  }
  REQUIRE(linear.size() > 2048);
  const Reach reach(graph, linear);
  std::size_t wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const std::size_t earlier = rng.below(linear.size());
    const auto ways = ways_from(graph, linear[earlier], is_linear);
    for (std::size_t later = 0; later < linear.size(); ++later) {
      const int way = ways[linear[later].index()];
      if (reach.depends(later, earlier) != ((way & 1) != 0)) ++wrong;
      if (reach.depends_through_others(later, earlier) != ((way & 2) != 0)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}
