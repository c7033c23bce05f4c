// What a walk writes down for a certificate is what it showed: read back by names alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/support/sketch.h"
#include "tests/verify/folded_files.h"
#include "verify/places/prove.h"

using namespace pet;
using namespace pet::testing;

namespace {

using Pairs = std::vector<ShownPair>;
using Names = std::vector<std::string>;

std::optional<Pairs> told(const Graph& original, const Graph& mutant) {
  ProofOptions options;
  options.record_test = true;
  const auto answer = places::prove(original, mutant, options);
  REQUIRE(answer.verdict);
  return answer.report.pairs;
}

// The values of a graph by name, as many as have one.
std::map<std::string, std::vector<NodeId>> named(const Graph& graph) {
  std::map<std::string, std::vector<NodeId>> out;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    out[node.input() != nullptr ? node.input()->name : node.name].push_back(id);
  }
  return out;
}

// Whoever reads pairs one after another has what each of them speaks of: what it is shown from was
// an input or was shown, as a pair or as the value of that name, before the pair's own value.
void check_readable(const Graph& original, const Graph& mutant, const Pairs& pairs) {
  const auto theirs = named(original);
  const auto mine = named(mutant);
  std::set<std::string> shown;
  NodeId last(0);
  for (const ShownPair& pair : pairs) {
    INFO(pair.original << " and " << pair.mutant);
    REQUIRE(theirs.at(pair.original).size() == 1);
    REQUIRE(mine.at(pair.mutant).size() == 1);
    const NodeId id = mine.at(pair.mutant)[0];
    CHECK(last < id);
    last = id;
    const Shape shape = *original.node(theirs.at(pair.original)[0]).type.shape;
    std::vector<std::int64_t> order = pair.order;
    if (order.empty()) {
      for (std::size_t i = 0; i < shape.size(); ++i) order.push_back(static_cast<std::int64_t>(i));
    }
    REQUIRE(order.size() == shape.size());
    Shape moved;
    for (const std::int64_t axis : order) moved.push_back(shape.at(static_cast<std::size_t>(axis)));
    CHECK(moved == *mutant.node(id).type.shape);
    CHECK(std::set(order.begin(), order.end()).size() == order.size());
    CHECK(std::set(pair.from.begin(), pair.from.end()).size() == pair.from.size());
    for (const std::string& name : pair.from) {
      INFO("from " << name);
      REQUIRE(theirs.at(name).size() == 1);
      CHECK(theirs.at(name)[0] < theirs.at(pair.original)[0]);
      const auto same = mine.find(name);
      CHECK((shown.contains(name) || (same != mine.end() && same->second[0] < id)));
    }
    shown.insert(pair.original);
  }
}

void check_told(const OnnxBuilder& a, const OnnxBuilder& b, const Pairs& expected) {
  const Graph original = read(a).graph;
  const Graph mutant = read(b).graph;
  const auto pairs = told(original, mutant);
  REQUIRE(pairs);
  check_readable(original, mutant, *pairs);
  Names found;
  for (const ShownPair& pair : *pairs) found.push_back(pair.original + " as " + pair.mutant);
  CAPTURE(found);
  REQUIRE(pairs->size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("pair " << i);
    CHECK((*pairs)[i].original == expected[i].original);
    CHECK((*pairs)[i].mutant == expected[i].mutant);
    CHECK((*pairs)[i].order == expected[i].order);
    CHECK((*pairs)[i].from == expected[i].from);
  }
}

void with_ints(::onnx::NodeProto& node, const std::string& name, const std::vector<int>& values) {
  auto& attribute = OnnxBuilder::attribute(node, name, ::onnx::AttributeProto::INTS);
  for (const int value : values) attribute.add_ints(value);
}

std::vector<float> ramp(std::size_t number, float step) {
  std::vector<float> out;
  for (std::size_t i = 0; i < number; ++i) out.push_back(step * static_cast<float>(i + 1));
  return out;
}

// A 1x1 convolution, a pool and a Relu, one behind the other; the first two exchanged where it is
// said. Of stage i the results are ci, pi and ri, exchanged ones qi, di and ri.
OnnxBuilder stages(const std::vector<bool>& exchanged) {
  OnnxBuilder b;
  b.input("x", {1, 4, 16, 16});
  std::string last = "x";
  for (std::size_t i = 0; i < exchanged.size(); ++i) {
    const std::string number = std::to_string(i);
    b.floats("w" + number, {4, 4, 1, 1}, ramp(16, i % 2 == 0 ? 0.1F : -0.3F));
    const auto pool = [&](const std::string& from, const std::string& to) {
      auto& node = b.node("AveragePool", {from}, {to});
      with_ints(node, "kernel_shape", {2, 2});
      with_ints(node, "strides", {2, 2});
    };
    if (exchanged[i]) {
      pool(last, "q" + number);
      b.node("Conv", {"q" + number, "w" + number}, {"d" + number});
    } else {
      b.node("Conv", {last, "w" + number}, {"c" + number});
      pool("c" + number, "p" + number);
    }
    last = "r" + number;
    b.node("Relu", {(exchanged[i] ? "d" : "p") + number}, {last});
  }
  const auto extent = static_cast<std::int64_t>(16U >> exchanged.size());
  b.output(last, {1, 4, extent, extent});
  return b;
}

// y = -relu(conv(x)), or the same with channels last and as a product of matrices.
OnnxBuilder convolution(bool channels_last) {
  OnnxBuilder b;
  b.input("x", {2, 6, 4, 4});
  b.output("y", {2, 8, 4, 4});
  b.floats("w", {8, 6, 1, 1}, ramp(48, 0.1F));
  if (channels_last) {
    b.integers("s", {8, 6});
    with_ints(b.node("Transpose", {"x"}, {"t"}), "perm", {0, 2, 3, 1});
    b.node("Reshape", {"w", "s"}, {"flat"});
    with_ints(b.node("Transpose", {"flat"}, {"turned"}), "perm", {1, 0});
    b.node("MatMul", {"t", "turned"}, {"m"});
    b.node("Relu", {"m"}, {"r"});
    with_ints(b.node("Transpose", {"r"}, {"back"}), "perm", {0, 3, 1, 2});
    b.node("Neg", {"back"}, {"y"});
  } else {
    b.node("Conv", {"x", "w"}, {"c"});
    b.node("Relu", {"c"}, {"r"});
    b.node("Neg", {"r"}, {"y"});
  }
  return b;
}

// relu(a x) + relu(b x), or with a place behind both that reads them.
OnnxBuilder joined(bool summed_first) {
  OnnxBuilder b;
  b.input("x", {4, 8});
  b.input("z", {4, 8});
  b.output("y", {4, 8});
  b.floats("w", {8, 8}, ramp(64, 0.05F));
  b.node("Relu", {"x"}, {"u"});
  b.node("Sigmoid", {"z"}, {"v"});
  if (summed_first) {
    b.node("Add", {"u", "v"}, {"s"});
    b.node("MatMul", {"s", "w"}, {"m"});
  } else {
    b.node("MatMul", {"u", "w"}, {"f"});
    b.node("MatMul", {"v", "w"}, {"g"});
    b.node("Add", {"f", "g"}, {"m"});
  }
  b.node("Tanh", {"m"}, {"y"});
  return b;
}

}  // namespace

TEST_CASE("Each changed piece is written down once, with the values that it begins at") {
  check_told(stages({false, false, false}), stages({true, false, true}),
             {{"p0", "d0", {}, {"x"}}, {"p2", "d2", {}, {"r1"}}});
  check_told(stages({true, true}), stages({false, false}),
             {{"d0", "p0", {}, {"x"}}, {"d1", "p1", {}, {"r0"}}});
}

TEST_CASE("What is the same in both programs is not written down") {
  check_told(stages({true, false}), stages({true, false}), {});
}

TEST_CASE("A piece begins at all values that it reads") {
  check_told(joined(true), joined(false), {{"m", "m", {}, {"u", "v"}}});
  check_told(joined(false), joined(true), {{"m", "m", {}, {"u", "v"}}});
}

TEST_CASE("Values whose axes were moved are written down with their order") {
  check_told(convolution(false), convolution(true),
             {{"c", "m", {0, 2, 3, 1}, {"x"}}, {"r", "r", {0, 2, 3, 1}, {"c"}}});
  check_told(
      convolution(true), convolution(false),
      {{"m", "c", {0, 3, 1, 2}, {"x"}}, {"r", "r", {0, 3, 1, 2}, {"m"}}, {"y", "y", {}, {"r"}}});
}

TEST_CASE("Where a value has no name nothing is written down") {
  const auto program = [](bool exchanged) {
    test::Sketch s;
    const NodeId x = s.input("x", {4, 8});
    const NodeId w = s.ramp({8, 8}, 0.1F);
    const NodeId two = s.scalar(2);
    const NodeId y = exchanged ? s.op("Mul", {s.op("MatMul", {x, w}), two})
                               : s.op("MatMul", {s.op("Mul", {x, two}), w});
    return std::move(s).finish({s.op("Relu", {y})});
  };
  CHECK_FALSE(told(program(false), program(true)));
}
