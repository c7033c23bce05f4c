#include "core/ir/copy.h"

#include <catch2/catch.hpp>

#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::test;

namespace {

// x * w + b, of which nothing reads a Neg.
struct Layer {
  NodeId x, weight, product, bias, sum, unused;
  Graph graph;
};

Layer layer() {
  Layer out;
  Sketch s;
  out.x = s.input("x", {2, 3});
  out.weight = s.ramp({3, 4});
  out.product = s.op("MatMul", {out.x, out.weight});
  out.bias = s.ramp({4}, 0.5F);
  out.sum = s.op("Add", {out.product, out.bias});
  out.unused = s.op("Neg", {out.product});
  out.graph = std::move(s).finish({out.sum});
  return out;
}

std::size_t named(const Graph& graph, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::count_if(graph.nodes(), [&](const Node& node) {
    return node.op() != nullptr && node.op()->def->name == name;
  }));
}

// -(-(-x)), so many times.
Graph deep_chain(std::size_t depth) {
  Sketch s;
  NodeId x = s.input("x", {1});
  for (std::size_t i = 0; i < depth; ++i) x = s.op(i % 2 == 0 ? "Neg" : "Abs", {x});
  return std::move(s).finish({x});
}

}  // namespace

TEST_CASE("a copy is the same program, node for node") {
  const Layer all = layer();
  GraphBuilder builder;
  const auto copied = GraphCopy(all.graph, builder).build();
  REQUIRE(copied.ok());
  CHECK(copied->digest() == all.graph.digest());
}

TEST_CASE("what is not kept and not needed is left out") {
  const Layer all = layer();
  GraphBuilder builder;
  GraphCopy copy(all.graph, builder, {.keep = [](NodeId) { return false; }});
  const auto copied = copy.build();
  REQUIRE(copied.ok());
  CHECK(copied->nodes().size() == all.graph.nodes().size() - 1);
  CHECK(named(*copied, "Neg") == 0);
  CHECK_FALSE(copy.has(all.unused));
}

TEST_CASE("a hook puts a value in the place of a node, and what led there alone is not made") {
  const Layer all = layer();
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != all.product) return Instead(AsItIs{});
    return Instead(builder.add_input("product", float_tensor({2, 4})));
  };
  GraphCopy copy(all.graph, builder, {.instead = instead, .keep = [](NodeId) { return false; }});
  const auto copied = copy.build();
  REQUIRE(copied.ok());
  CHECK(named(*copied, "MatMul") == 0);
  CHECK(copied->inputs().size() == 2);
  CHECK_FALSE(copy.has(all.weight));
}

TEST_CASE("a value is made of other values, which come first") {
  const Layer all = layer();
  GraphBuilder builder;
  // The sum reads the weight in the place of the product's result: 3x4 and 4.
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != all.sum) return Instead(AsItIs{});
    return Instead(MadeOf{{all.weight, all.bias}, [&](std::vector<NodeId> there) {
                            return builder.add(*ops::find("Sub"), {}, std::move(there));
                          }});
  };
  GraphCopy copy(all.graph, builder, {.instead = instead, .keep = [](NodeId) { return false; }});
  const auto copied = copy.build();
  REQUIRE(copied.ok());
  CHECK(named(*copied, "Sub") == 1);
  CHECK(copied->node(copied->outputs()[0]).type == float_tensor({3, 4}));
  CHECK_FALSE(copy.has(all.product));
}

TEST_CASE("a value that would be made of itself is an error") {
  const Layer all = layer();
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != all.product) return Instead(AsItIs{});
    return Instead(MadeOf{
        {all.sum}, [](const std::vector<NodeId>& there) { return Result<NodeId>(there[0]); }});
  };
  GraphCopy copy(all.graph, builder, {.instead = instead});
  const auto copied = copy.build();
  REQUIRE_FALSE(copied.ok());
  CHECK(copied.error().message == "a replaced value would be computed from itself");
}

TEST_CASE("copies may have names of their own") {
  const Layer all = layer();
  GraphBuilder builder;
  const auto name = [&](NodeId id) { return id == all.sum ? std::string("y") : std::string(); };
  const auto copied = GraphCopy(all.graph, builder, {.name = name}).build();
  REQUIRE(copied.ok());
  CHECK(copied->node(copied->outputs()[0]).name == "y");
}

TEST_CASE("inputs that are there already are the same ones") {
  const Layer all = layer();
  GraphBuilder builder;
  const auto once = copy_inputs(builder, all.graph);
  CHECK(copy_inputs(builder, all.graph) == once);
  CHECK(builder.size() == 1);
}

TEST_CASE("a copy knows which node became which") {
  const Layer all = layer();
  GraphBuilder builder;
  GraphCopy copy(all.graph, builder);
  REQUIRE(copy.run());
  const Provenance provenance = copy.provenance();
  REQUIRE(provenance.size() == all.graph.nodes().size());
  for (const Became& one : provenance) {
    CHECK(one.before == one.after);
    CHECK(one.before.size() == 1);
  }
}

TEST_CASE("what was left out on the way to a replaced node became what replaced it") {
  const Layer all = layer();
  GraphBuilder builder;
  std::vector<NodeId> made;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != all.sum) return Instead(AsItIs{});
    return Instead(MadeOf{{all.x}, [&](const std::vector<NodeId>& there) {
                            const auto inner = builder.add(*ops::find("Neg"), {}, there);
                            const auto outer = builder.add(*ops::find("Abs"), {}, {*inner});
                            made = {*inner, *outer};
                            return outer;
                          }});
  };
  GraphCopy copy(all.graph, builder, {.instead = instead, .keep = [](NodeId) { return false; }});
  REQUIRE(copy.run());
  const Provenance expected = {{{all.x}, {copy.at(all.x)}},
                               {{all.weight, all.product, all.bias, all.sum}, made}};
  CHECK(copy.provenance() == expected);
}

TEST_CASE("nodes that are put together became the same nodes together") {
  const Layer all = layer();
  GraphBuilder builder;
  std::optional<GraphCopy> copy;
  // The product and its negation are computed in one go.
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != all.product) return Instead(AsItIs{});
    return Instead(MadeOf{{all.x, all.weight}, [&](const std::vector<NodeId>& there) {
                            const auto product = builder.add(*ops::find("MatMul"), {}, there);
                            copy->put(all.unused, *builder.add(*ops::find("Neg"), {}, {*product}));
                            return product;
                          }});
  };
  copy.emplace(all.graph, builder, CopyHooks{.instead = instead});
  REQUIRE(copy->run());
  const Became both = {{all.product, all.unused}, {copy->at(all.product), copy->at(all.unused)}};
  const Provenance provenance = copy->provenance();
  CHECK(std::ranges::find(provenance, both) != provenance.end());
}

TEST_CASE("two places that are left out for both of two readers are one place") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId shared = s.op("Neg", {x});
  const NodeId a = s.op("Abs", {shared});
  const NodeId b = s.op("Exp", {shared});
  const Graph graph = std::move(s).finish({a, b});
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id == x) return Instead(AsItIs{});
    return Instead(MadeOf{{x}, [&, id](const std::vector<NodeId>& there) {
                            return builder.add(*ops::find(id == a ? "Relu" : "Sigmoid"), {}, there);
                          }});
  };
  GraphCopy copy(graph, builder, {.instead = instead, .keep = [](NodeId) { return false; }});
  REQUIRE(copy.run());
  const Provenance expected = {{{x}, {copy.at(x)}}, {{shared, a, b}, {copy.at(a), copy.at(b)}}};
  CHECK(copy.provenance() == expected);
}

TEST_CASE("a program of 100,000 nodes is copied from its output back") {
  const Graph graph = deep_chain(100'000);
  GraphBuilder builder;
  const auto copied = GraphCopy(graph, builder, {.keep = [](NodeId) { return false; }}).build();
  REQUIRE(copied.ok());
  CHECK(copied->digest() == graph.digest());
}
