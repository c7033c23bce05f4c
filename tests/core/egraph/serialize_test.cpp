// Files of e-graphs: there and back, and what is wrong with them.
#include "core/egraph/serialize.h"

#include <catch2/catch.hpp>

using namespace pet;
using namespace pet::egraph;

namespace {

const char* const kSmall = R"({"nodes": {
  "a0": {"op": "Conv", "cost": 2.5, "eclass": "a", "children": ["b0"]},
  "a1": {"op": "Other", "cost": 1, "eclass": "a", "children": ["b0", "b0"]},
  "b0": {"op": "x", "cost": 0, "eclass": "b", "children": []}},
  "root_eclasses": ["a"]})";

std::string refused(const std::string& text) {
  const auto read = parse_egraph(text, "e.json");
  REQUIRE_FALSE(read.ok());
  return read.error().message;
}

std::string with(const std::string& what, const std::string& instead) {
  std::string text = kSmall;
  text.replace(text.find(what), what.size(), instead);
  return text;
}

TEST_CASE("An e-graph is read and written") {
  const auto read = parse_egraph(kSmall, "e.json");
  REQUIRE(read.ok());
  CHECK(read->problem.classes.size() == 2);
  CHECK(read->problem.nodes.size() == 3);
  const auto again = parse_egraph(write_egraph(*read), "again");
  REQUIRE(again.ok());
  CHECK(again->nodes == read->nodes);
  CHECK(again->operators == read->operators);
  CHECK(again->problem.roots == read->problem.roots);
  for (std::size_t i = 0; i < read->problem.nodes.size(); ++i) {
    CHECK(again->problem.nodes[i].cost == read->problem.nodes[i].cost);
    CHECK(again->problem.nodes[i].children == read->problem.nodes[i].children);
  }
}

TEST_CASE("What is wrong with a file is named") {
  CHECK(refused("{") == "e.json: this is no JSON");
  CHECK(refused("[]") == "e.json: the e-graph has no \"nodes\"");
  CHECK(refused(with(R"(["b0"])", R"(["c7"])")) ==
        "e.json: node a0 has a child c7 that is missing");
  CHECK(refused(with("2.5", "-2.5")) == "e.json: node a0 has a cost that is no number from 0 on");
  CHECK(refused(with("2.5", "1e999")) == "e.json: this is no JSON");
  CHECK(refused(with("2.5", "\"2\"")) == "e.json: node a0 has a cost that is no number from 0 on");
  CHECK(refused(with(R"("cost": 2.5, )", "")) == R"(e.json: node a0 has no "cost")");
  CHECK(refused(with(R"(["a"])", "[]")) ==
        "e.json: the e-graph has no root: nothing is to be extracted");
  CHECK(refused(with(R"(["a"])", R"(["z"])")) == "e.json: root z is no class");
  CHECK(refused(with(R"(["a"])", "7")) == R"(e.json: "root_eclasses" is no list)");
  CHECK(refused(with(R"("children": [])", R"("children": ["a0"])")) ==
        "e.json: class a is a root and every choice for it would need itself");
}

}  // namespace
