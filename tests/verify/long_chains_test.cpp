// Files of 100,000 nodes, one behind the other: read, split, proved and written without a stack
// that grows with them, and in time that grows with them alone.
#include <catch2/catch.hpp>
#include <ctime>
#include <functional>

#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/program/difference.h"
#include "core/program/split.h"
#include "core/program/substitute.h"
#include "tests/verify/files_of_x.h"
#include "verify/region/region_engine.h"

using namespace pet;
using namespace pet::testing;

namespace {

constexpr std::size_t kLong = 100'000;
constexpr double kMostSeconds = 60;

// Of all threads: what else the machine does is not counted.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Adds node number i, which makes `to` of `from`.
using Link = std::function<void(OnnxBuilder&, std::size_t i, const std::string& from,
                                const std::string& to)>;

// y[2,3] from x[2,3]; what lies between has names that begin with `prefix`.
OnnxBuilder chain(const Link& link, const std::string& prefix) {
  return files::of_x([&](OnnxBuilder& b) {
    b.floats("c", {3}, {0.5F, -0.25F, 1});
    b.floats("m", {3}, {0.5F, -1.25F, 1.5F});
    std::string from = "x";
    for (std::size_t i = 0; i < kLong; ++i) {
      const std::string to = i + 1 == kLong ? "y" : prefix + std::to_string(i);
      link(b, i, from, to);
      from = to;
    }
  });
}

void functions(OnnxBuilder& b, std::size_t i, const std::string& from, const std::string& to) {
  if (i % 3 == 1) {
    b.node("Add", {from, "c"}, {to});
  } else {
    b.node(i % 3 == 0 ? "Relu" : "Abs", {from}, {to});
  }
}

void sums_and_products(OnnxBuilder& b, std::size_t i, const std::string& from,
                       const std::string& to) {
  switch (i % 3) {
    case 0:
      b.node("Add", {from, "c"}, {to});
      return;
    case 1:
      b.node("Mul", {from, "m"}, {to});
      return;
    default:
      b.node("Neg", {from}, {to});
  }
}

// Each adds the input to what the one before it yields.
void sums_of_values(OnnxBuilder& b, std::size_t, const std::string& from, const std::string& to) {
  b.node("Add", {from, "x"}, {to});
}

// What they compute is not interpreted; in front a sum that can be written in two ways.
Link opaque(bool is_turned) {
  return [=](OnnxBuilder& b, std::size_t i, const std::string& from, const std::string& to) {
    if (i > 0) {
      b.node("Hardmax", {from}, {to});
      b.value_info(to, {2, 3});
    } else if (is_turned) {
      b.node("Add", {"c", from}, {to});
    } else {
      b.node("Add", {from, "c"}, {to});
    }
  };
}

Model read(const OnnxBuilder& file) {
  auto model = files::read(file);
  INFO((model ? "" : model.error().message));
  REQUIRE(model);
  return *std::move(model);
}

// Another program in the place of the node in the middle, written into the file.
Model written_with_one_change(const Model& model) {
  const NodeId middle(model.graph.nodes().size() / 2);
  GraphBuilder b;
  b.add_output(*b.add(ops::exp(), {}, {b.add_input("in", model.graph.node(middle).type)}));
  const Graph program = std::move(b).build();
  const std::vector<NodeId> inputs = {model.graph.node(middle).operands[0]};
  const std::vector<NodeId> outputs = {middle};
  const Substitute one{&program, inputs, outputs};
  const auto changed = with_replaced(model.graph, std::span(&one, 1));
  REQUIRE(changed);
  const auto replacements = differences(model.graph, *changed, "changed");
  REQUIRE(replacements);
  REQUIRE(replacements->size() == 1);
  const ScratchFolder folder;
  REQUIRE(write_rewritten(model, *replacements, {}, folder / "m.onnx"));
  auto again = read_model(folder / "m.onnx", {});
  REQUIRE(again);
  return *std::move(again);
}

void is_read_split_proved_and_written(const Link& link) {
  const double begin = processor_seconds();
  const Model original = read(chain(link, "a"));
  CHECK(original.graph.nodes().size() >= kLong);
  CHECK_FALSE(split(original.graph, SplitOptions{}).classes.empty());
  const Model renamed = read(chain(link, "b"));
  const Verdict verdict = prove_files(original, renamed, {});
  INFO(verdict.reason);
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(written_with_one_change(original).graph.nodes().size() >= kLong);
  CHECK(processor_seconds() - begin < kMostSeconds);
}

}  // namespace

TEST_CASE("A chain of 100,000 functions and sums is read, split, proved and written") {
  is_read_split_proved_and_written(functions);
}

TEST_CASE("A chain of 100,000 linear operators is read, split, proved and written") {
  is_read_split_proved_and_written(sums_and_products);
}

TEST_CASE("A chain of 100,000 sums of values is read, split, proved and written") {
  is_read_split_proved_and_written(sums_of_values);
}

TEST_CASE("A chain of 100,000 operators without a meaning is read and proved") {
  const Model original = read(chain(opaque(false), "a"));
  const Verdict verdict = prove_files(original, read(chain(opaque(true), "b")), {});
  INFO(verdict.reason);
  CHECK(verdict.outcome == Outcome::Equivalent);
}

TEST_CASE("Functions of functions, 100,000 deep, are no matter of the stack") {
  const auto deep = [](std::size_t functions) {
    GraphBuilder b;
    NodeId value = b.add_input("x", float_tensor({1}));
    for (std::size_t i = 0; i < functions; ++i)
      value = *b.add(i % 2 == 0 ? ops::sigmoid() : ops::tanh(), {}, {value});
    b.add_output(value);
    return std::move(b).build();
  };
  const Verdict verdict = RegionEngine().check(deep(kLong), deep(kLong - 2), {});
  INFO(verdict.reason);
  CHECK(verdict.outcome != Outcome::Equivalent);
}
