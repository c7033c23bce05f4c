// Files whose constants follow from the constants of another file, honestly and otherwise.
#include "core/onnx/weight_programs.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/eval/rounding.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "core/util/base64.h"
#include "tests/verify/folded_files.h"
#include "verify/files/file_proof.h"

using namespace pet;
using namespace pet::testing;

namespace {

// A program over weights, as a function of builder and node.
template <class Make>
Graph weight_program(Make make) {
  GraphBuilder b;
  b.add_output(make(b));
  return std::move(b).build();
}

std::vector<float> nearest(const Graph& program) {
  const auto value = correctly_rounded(program, program.outputs()[0], 1, {});
  INFO((value ? "" : value.error().message));
  REQUIRE(value.ok());
  return {value->floats().begin(), value->floats().end()};
}

std::string metadata_for(const Graph& program, const std::vector<float>& values,
                         const Graph& original) {
  std::map<Digest, char> symbols;
  for (const Node& node : original.nodes())
    if (node.constant() != nullptr) symbols[node.constant()->digest()] = 1;
  GraphBuilder b;
  std::vector<NodeId> place(program.nodes().size());
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    std::vector<NodeId> operands;
    for (const NodeId o : node.operands) operands.push_back(place[o.index()]);
    const auto* leaf = std::get_if<ConstantLeaf>(&node.what);
    place[id.index()] = leaf == nullptr ? *b.add(*node.op(), operands)
                        : symbols.contains((*leaf)->digest())
                            ? b.add_input((*leaf)->digest().hex(), node.type)
                            : b.add_constant(*leaf);
  }
  b.add_output(place[program.outputs()[0].index()]);
  const Tensor result = Tensor::of_floats({2, 3}, values);
  const auto text = encoded({std::move(b).build(), {result.digest()}});
  REQUIRE(text.ok());
  return *text;
}

// The mutant `file` carries `program` for its constant of the given values.
FileVerdict prove(const OnnxBuilder& original, OnnxBuilder file, const Graph& program,
                  const std::vector<float>& values) {
  const Model a = read(original);
  set_metadata(file, metadata_for(program, values, a.graph));
  return prove_files(a, read(file), {});
}

OnnxBuilder third_of_scaled() {
  OnnxBuilder b = scaled(kWeights);
  b.graph().mutable_node(0)->set_output(0, "s");
  b.graph().mutable_node(0)->set_name("make_s");
  b.floats("three", {}, {3});
  b.node("Div", {"s", "three"}, {"y"});
  return b;
}

const std::vector<float> kThird(6, 1.0F / 3.0F);

// x scaled by the weights, and beside it by a constant of thirds.
OnnxBuilder beside_a_third() {
  OnnxBuilder b = scaled(kWeights);
  b.output("z", {2, 3});
  b.floats("t", {2, 3}, kThird);
  b.node("Mul", {"x", "t"}, {"z"});
  return b;
}

Graph third() {
  return weight_program([](GraphBuilder& b) {
    return *b.add(ops::div(), {}, {constant(b, kWeights), b.add_scalar(3)});
  });
}

}  // namespace

TEST_CASE("A folded constant with its weight program is as good as what was folded") {
  const auto values = nearest(third());
  CHECK(prove_files(read(third_of_scaled()), read(scaled(values)), {}).outcome !=
        Outcome::Equivalent);
  const FileVerdict verdict = prove(third_of_scaled(), scaled(values), third(), values);
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(verdict.weight_programs == 1);
}

TEST_CASE("A folded constant one ulp off is not what its program says") {
  for (const std::size_t at : {0U, 5U}) {
    auto values = nearest(third());
    values[at] = std::nextafterf(values[at], at == 0 ? INFINITY : -INFINITY);
    const FileVerdict verdict = prove(third_of_scaled(), scaled(values), third(), values);
    CHECK(verdict.outcome == Outcome::Unknown);
    CHECK(verdict.reason.find("element " + std::to_string(at)) != std::string::npos);
    CHECK(verdict.outputs.at(0).equal == 0);
  }
}

TEST_CASE("A program without weights must be a float exactly") {
  const auto divided = [](float numerator) {
    return weight_program([=](GraphBuilder& b) {
      return *b.add(ops::div(), {},
                    {constant(b, std::vector<float>(6, numerator)), b.add_scalar(3)});
    });
  };
  const auto original = [](float numerator) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    b.output("y", {2, 3});
    b.floats("n", {}, {numerator});
    b.floats("three", {}, {3});
    b.node("Mul", {"x", "n"}, {"a"});
    b.node("Div", {"a", "three"}, {"y"});
    return b;
  };
  CHECK(prove(original(1), scaled(kThird), divided(1), kThird).outcome == Outcome::Unknown);
  const std::vector<float> two(6, 2);
  CHECK(prove(original(6), scaled(two), divided(6), two).outcome == Outcome::Equivalent);
}

TEST_CASE("w - w + 1/3 contains no weight either") {
  OnnxBuilder original = scaled(kWeights);
  original.output("z", {2, 3});
  original.floats("three", {}, {3});
  original.node("Div", {"x", "three"}, {"z"});
  const Graph program = weight_program([](GraphBuilder& b) {
    const NodeId w = constant(b, kWeights);
    const NodeId nothing = *b.add(ops::sub(), {}, {w, w});
    const NodeId one = *b.add(ops::add(), {}, {nothing, b.add_scalar(1)});
    return *b.add(ops::div(), {}, {one, b.add_scalar(3)});
  });
  CHECK(prove(original, beside_a_third(), program, kThird).outcome == Outcome::Unknown);
}

TEST_CASE("A single -0 is a number and no weight") {
  OnnxBuilder original = scaled(kWeights);
  original.output("z", {2, 3});
  original.floats("zero", {1}, {-0.0F});
  original.floats("one", {}, {1});
  original.floats("three", {}, {3});
  original.node("Add", {"zero", "one"}, {"n"});
  original.node("Div", {"n", "three"}, {"t"});
  original.node("Mul", {"x", "t"}, {"z"});
  const Graph program = weight_program([](GraphBuilder& b) {
    const NodeId zero =
        b.add_constant(std::make_shared<const Tensor>(Tensor::of_floats({1}, {-0.0F})));
    const NodeId one = *b.add(ops::add(), {}, {zero, b.add_scalar(1)});
    const NodeId third = *b.add(ops::div(), {}, {one, b.add_scalar(3)});
    return *b.add(ops::expand(), {{"shape", Ints{2, 3}}}, {third});
  });
  CHECK(prove(original, beside_a_third(), program, kThird).outcome == Outcome::Unknown);
}

TEST_CASE("A weight made tiny, rounded and scaled back has lost its bits") {
  OnnxBuilder mutant = scaled(std::vector<float>(6, 0));
  const Graph program = weight_program([](GraphBuilder& b) {
    const NodeId small = *b.add(ops::mul(), {}, {constant(b, kWeights), b.add_scalar(0x1p-100F)});
    return *b.add(ops::mul(), {}, {small, b.add_scalar(0x1p-100F)});
  });
  mutant.graph().mutable_node(0)->set_output(0, "s");
  mutant.graph().mutable_node(0)->set_name("make_s");
  mutant.floats("up", {}, {0x1p100F});
  mutant.node("Mul", {"s", "up"}, {"t"});
  mutant.node("Mul", {"t", "up"}, {"y"});
  CHECK(prove(scaled(kWeights), mutant, program, std::vector<float>(6, 0)).outcome ==
        Outcome::Unknown);
}

TEST_CASE("A weight hidden behind something huge is rounded correctly and lost all the same") {
  const std::vector<float> huge(6, 1e30F);
  const Graph program = weight_program([](GraphBuilder& b) {
    return *b.add(ops::add(), {}, {constant(b, kWeights), b.add_scalar(1e30F)});
  });
  OnnxBuilder mutant = scaled(nearest(program));
  mutant.graph().mutable_node(0)->set_output(0, "s");
  mutant.graph().mutable_node(0)->set_name("make_s");
  mutant.floats("huge", {}, {1e30F});
  mutant.node("Mul", {"x", "huge"}, {"t"});
  mutant.node("Sub", {"s", "t"}, {"y"});
  const FileVerdict verdict = prove(scaled(kWeights), mutant, program, nearest(program));
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("ill-conditioned") != std::string::npos);
}

TEST_CASE("A folded value that overflows is refused") {
  OnnxBuilder original = scaled(kWeights);
  original.graph().mutable_node(0)->set_output(0, "s");
  original.graph().mutable_node(0)->set_name("make_s");
  original.floats("up", {}, {3e38F});
  original.node("Mul", {"s", "up"}, {"y"});
  const Graph program = weight_program([](GraphBuilder& b) {
    return *b.add(ops::mul(), {}, {constant(b, kWeights), b.add_scalar(3e38F)});
  });
  std::vector<float> values;
  for (const float w : kWeights) values.push_back(w * 3e38F);
  CHECK(prove(original, scaled(values), program, values).outcome == Outcome::Unknown);
}

TEST_CASE("What a caller can override is no weight") {
  OnnxBuilder original = third_of_scaled();
  original.input("w", {2, 3});
  OnnxBuilder mutant = scaled(kWeights);
  mutant.input("w", {2, 3});
  const auto values = nearest(third());
  mutant.floats("folded", {2, 3}, values);
  mutant.graph().mutable_node(0)->set_input(1, "folded");
  const Model a = read(original);
  // The program reads the default value of w by its bits, as if it were fixed.
  const Model as_if_fixed = read(third_of_scaled());
  set_metadata(mutant, metadata_for(third(), values, as_if_fixed.graph));
  const FileVerdict verdict = prove_files(a, read(mutant), {});
  CHECK(verdict.outcome != Outcome::Equivalent);
}

TEST_CASE("A program that reads a tensor of the right shape with other bits explains nothing") {
  const auto values = nearest(third());
  const Graph wrong = weight_program([](GraphBuilder& b) {
    return *b.add(ops::div(), {}, {constant(b, kOthers), b.add_scalar(3)});
  });
  OnnxBuilder mutant = scaled(values);
  // Named as an operand, and not there; then there, and another tensor.
  const Model others = read(scaled(kOthers));
  set_metadata(mutant, metadata_for(wrong, values, others.graph));
  CHECK(prove_files(read(third_of_scaled()), read(mutant), {}).outcome != Outcome::Equivalent);
  OnnxBuilder original = third_of_scaled();
  original.output("z", {2, 3});
  original.floats("v", {2, 3}, kOthers);
  original.node("Mul", {"x", "v"}, {"z"});
  OnnxBuilder both = scaled(values);
  both.output("z", {2, 3});
  both.floats("v", {2, 3}, kOthers);
  both.node("Mul", {"x", "v"}, {"z"});
  CHECK(prove(original, both, wrong, values).outcome == Outcome::Unknown);
}

TEST_CASE("Metadata of another file, or none that can be read, explain nothing and harm nothing") {
  const auto values = nearest(third());
  const Model original = read(third_of_scaled());
  const auto other = metadata_for(third(), kOthers, original.graph);
  for (const std::string& text : {other, std::string("no base64!"), std::string("AAAA"),
                                  std::string(), other.substr(0, other.size() / 2)}) {
    OnnxBuilder mutant = scaled(values);
    set_metadata(mutant, text);
    CHECK(prove_files(original, read(mutant), {}).outcome != Outcome::Equivalent);
    OnnxBuilder same = third_of_scaled();
    set_metadata(same, text);
    CHECK(prove_files(original, read(same), {}).outcome == Outcome::Equivalent);
  }
}

TEST_CASE("A program of a million operators is refused by its size") {
  OnnxBuilder program;
  const Tensor w = Tensor::of_floats({2, 3}, kWeights);
  program.input(w.digest().hex(), {2, 3});
  std::string last = w.digest().hex();
  for (int i = 0; i < 1'000'000; ++i) {
    auto& node = *program.graph().add_node();
    node.set_op_type("Identity");
    node.add_input(last);
    last = std::to_string(i);
    node.add_output(last);
  }
  const auto values = nearest(third());
  const std::string result = Tensor::of_floats({2, 3}, values).digest().hex();
  program.output(result, {2, 3});
  program.graph().mutable_node(999'999)->set_output(0, result);
  const std::string bytes = program.bytes();
  OnnxBuilder mutant = scaled(values);
  set_metadata(mutant, to_base64(std::as_bytes(std::span(bytes))));
  const FileVerdict verdict = prove_files(read(third_of_scaled()), read(mutant), {});
  CHECK(verdict.outcome != Outcome::Equivalent);
}

TEST_CASE("What the folder folds is proved, and reads back as it was written") {
  const Model original = read(third_of_scaled());
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  const NodeId folded = *b.add(ops::div(), {}, {constant(b, kWeights), b.add_scalar(3)});
  b.add_output(*b.add(ops::mul(), {}, {x, folded}));
  ConstantFolder folder(original.graph, 1, {});
  const auto made = folder.fold(std::move(b).build());
  REQUIRE(made.ok());
  CHECK(folder.count() == 1);
  CHECK(made->program.nodes().size() == 3);
  const auto text = encoded(std::move(folder).programs());
  REQUIRE(text.ok());
  OnnxBuilder mutant = scaled(nearest(third()));
  set_metadata(mutant, *text);
  CHECK(prove_files(original, read(mutant), {}).outcome == Outcome::Equivalent);
}

TEST_CASE("A constant that no float can hold stays in the file, of which nothing is claimed") {
  OnnxBuilder two = third_of_scaled();
  two.output("z", {2, 3});
  two.floats("up", {}, {3e38F});
  two.node("Mul", {"w", "up"}, {"huge"});
  two.node("Mul", {"x", "huge"}, {"z"});
  const Model original = read(two);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  const NodeId w = constant(b, kWeights);
  const NodeId third = *b.add(ops::div(), {}, {w, b.add_scalar(3)});
  const NodeId huge = *b.add(ops::mul(), {}, {w, b.add_scalar(3e38F)});
  b.add_output(*b.add(ops::mul(), {}, {x, third}));
  b.add_output(*b.add(ops::mul(), {}, {x, huge}));
  ConstantFolder folder(original.graph, 1, {});
  const auto folded = folder.fold(std::move(b).build());
  REQUIRE(folded.ok());
  CHECK(folder.left().size() == 1);
  OnnxBuilder mutant = scaled(nearest(::third()));
  mutant.output("z", {2, 3});
  mutant.floats("original", {2, 3}, kWeights);
  mutant.floats("up", {}, {3e38F});
  mutant.node("Mul", {"original", "up"}, {"huge"});
  mutant.node("Mul", {"x", "huge"}, {"z"});
  REQUIRE(folded->program.nodes().size() == read(mutant).graph.nodes().size());
  const auto text = encoded(std::move(folder).programs());
  REQUIRE(text.ok());
  set_metadata(mutant, *text);
  // What either file makes of it in floats is another question.
  const FileVerdict verdict = prove_files(original, read(mutant), {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("beyond the range of floats") != std::string::npos);
  CHECK(prove_files(original, original, {}).outcome == Outcome::Equivalent);
}

TEST_CASE("A folded constant may have the bits of a weight that it is folded from") {
  const Model original = read(third_of_scaled());
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  const NodeId w = constant(b, kWeights);
  const NodeId twice = *b.add(ops::add(), {}, {w, w});
  const NodeId same = *b.add(ops::mul(), {}, {twice, b.add_scalar(0.5F)});
  b.add_output(*b.add(ops::div(), {}, {*b.add(ops::mul(), {}, {x, same}), b.add_scalar(3)}));
  ConstantFolder folder(original.graph, 1, {});
  REQUIRE(folder.fold(std::move(b).build()).ok());
  REQUIRE(folder.count() == 1);
  const auto text = encoded(std::move(folder).programs());
  REQUIRE(text.ok());
  OnnxBuilder mutant = third_of_scaled();
  set_metadata(mutant, *text);
  const FileVerdict verdict = prove_files(original, read(mutant), {});
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(verdict.weight_programs == 1);
}

TEST_CASE("A weight scaled beyond the floats and back is infinite, whatever becomes of it") {
  // The sums of the original leave the floats as well, but for their signs.
  const auto file = [](bool scales) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    b.output("y", {2, 3});
    b.floats("w", {2, 3}, {3e38F, 1, -2, 3e38F, 5, 6});
    b.node("Sub", {"w", "w"}, {"nothing"});
    b.node("Mul", {"x", "nothing"}, {"s"});
    if (scales) {
      b.floats("up", {}, {8});
      b.floats("down", {}, {0.125F});
      b.node("Mul", {"w", "up"}, {"huge"});
      b.node("Mul", {"s", "huge"}, {"t"});
      b.node("Mul", {"t", "down"}, {"y"});
    } else {
      b.node("Mul", {"s", "w"}, {"y"});
    }
    return b;
  };
  const FileVerdict verdict = prove_files(read(file(false)), read(file(true)), {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("beyond the range of floats") != std::string::npos);
  CHECK(prove_files(read(file(true)), read(file(true)), {}).outcome == Outcome::Equivalent);
}
