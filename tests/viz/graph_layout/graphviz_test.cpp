#include "viz/graph_layout/graphviz.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

// Two nodes, and two edges from the first to the second.
FoldedGraph graph() {
  FoldedGraph out;
  out.nodes = {{DrawnNode::Kind::Input, "node:0", "x\"\\<b>", "[1,2]", {}, {}},
               {DrawnNode::Kind::Other, "node:1", "Relu", "[1,2]", {}, {}}};
  out.edges = {{0, 1}, {0, 1}};
  out.words = {{"[1,2]", "x"}, {"", ""}};
  return out;
}

constexpr const char* kPlain =
    "graph 1 2.0 3.0\n"
    "node n0 1.0 2.5 0.5 0.5 \"\" solid box black lightgrey\n"
    "node n1 1.0 0.5 0.5 0.5 \"\" solid box black lightgrey\n"
    "edge n0 n1 4 0.9 2.2 0.9 1.8 0.9 1.2 0.9 0.8 solid black\n"
    "edge n0 n1 4 1.1 2.2 1.1 1.8 1.1 1.2 1.1 0.8 solid black\n"
    "stop\n";

TEST_CASE("What Graphviz says becomes a layout: y goes down, an edge keeps its number") {
  const auto layout = parse_plain(kPlain, graph());
  REQUIRE(layout.ok());
  CHECK(layout->width == Approx(144));
  CHECK(layout->height == Approx(216));
  CHECK(layout->centres[0].y == Approx(36));
  CHECK(layout->centres[1].y == Approx(180));
  REQUIRE(layout->routes[0].size() == 2);
  CHECK(layout->routes[0][0].x == Approx(64.8));
  CHECK(layout->routes[1][1].x == Approx(79.2));
  CHECK(layout->routes[1][1].y > layout->routes[1][0].y);
}

TEST_CASE("An answer that lacks something, or makes no sense, is an error") {
  const std::string all = kPlain;
  const std::size_t last_number = all.rfind(" 0.8");
  for (std::size_t cut = 0; cut < last_number; cut += 7)
    CHECK_FALSE(parse_plain(all.substr(0, cut), graph()).ok());
  for (const char* line : {"node n7 1 1 1 1", "node n0 x 1 1 1", "edge n0 n1 99999999999 1 1",
                           "edge n0 n1 -3 1 1", "edge n1 n0 2 1 1 2 2", "graph nan", "what is this",
                           "node n0 inf 1 1 1", "edge n0 n1 2 1 1 2 2"})
    CHECK_FALSE(parse_plain(all + line + "\n", graph()).ok());
}

TEST_CASE("Names are text in Graphviz's language, whatever they are") {
  const std::string dot = to_dot(graph());
  CHECK(dot.find("n0 [label=\"x\\\"\\\\<b>\\n[1,2]\"]") != std::string::npos);
  CHECK(dot.find("n0 -> n1 [label=\"[1,2]\"]") != std::string::npos);
}

TEST_CASE("Graphviz lays a graph out, or says why not") {
  const auto layout = graphviz_layout(graph(), {});
  if (!layout) {
    CHECK(layout.error().message.find("install it (Debian: graphviz)") != std::string::npos);
  } else {
    CHECK(layout->centres[0].y < layout->centres[1].y);
    CHECK(layout->routes.size() == 2);
  }
  FoldedGraph large;
  large.nodes.resize(kMostForGraphviz + 1);
  const auto refused = graphviz_layout(large, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::Unsupported);
  std::stop_source stop;
  stop.request_stop();
  CHECK_FALSE(graphviz_layout(graph(), stop.get_token()).ok());
}

}  // namespace
}  // namespace pet::viz
