// Normalisations folded by others, and random weight programs folded by us.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "tests/support/weights.h"
#include "tests/verify/folded_files.h"
#include "verify/files/file_proof.h"

using namespace pet;
using namespace pet::testing;

namespace {

// y = BN(Conv(x, w)), or Conv(x, folded, bias) with every folded float moved by `ulps`.
OnnxBuilder normalised() {
  OnnxBuilder b;
  b.input("x", {1, 2, 4, 4});
  b.output("y", {1, 3, 4, 4});
  b.floats("w", {3, 2, 1, 1}, kWeights);
  b.floats("scale", {3}, {1.3F, -0.4F, 0.9F});
  b.floats("bias", {3}, {0.1F, 0.2F, -0.3F});
  b.floats("mean", {3}, {0.5F, -1.5F, 0.7F});
  b.floats("var", {3}, {1.1F, 0.3F, 2.7F});
  b.node("Conv", {"x", "w"}, {"c"});
  b.node("BatchNormalization", {"c", "scale", "bias", "mean", "var"}, {"y"});
  return b;
}

OnnxBuilder folded_by_hand(int ulps, double extra_bias) {
  const double scale[] = {1.3F, -0.4F, 0.9F};
  const double bias[] = {0.1F, 0.2F, -0.3F};
  const double mean[] = {0.5F, -1.5F, 0.7F};
  const double var[] = {1.1F, 0.3F, 2.7F};
  std::vector<float> w = kWeights;
  std::vector<float> shift(3);
  for (std::size_t f = 0; f < 3; ++f) {
    const double factor = scale[f] / std::sqrt(var[f] + static_cast<double>(1e-5F));
    for (std::size_t i = 2 * f; i < 2 * f + 2; ++i) {
      w[i] = static_cast<float>(w[i] * factor);
      for (int k = 0; k < ulps; ++k) w[i] = std::nextafterf(w[i], INFINITY);
    }
    shift[f] = static_cast<float>(bias[f] - mean[f] * factor + extra_bias);
  }
  OnnxBuilder b;
  b.input("x", {1, 2, 4, 4});
  b.output("y", {1, 3, 4, 4});
  b.floats("w", {3, 2, 1, 1}, w);
  b.floats("b", {3}, shift);
  b.node("Conv", {"x", "w", "b"}, {"y"});
  return b;
}

}  // namespace

TEST_CASE("A normalisation that somebody else folded correctly is equivalent") {
  const FileVerdict verdict = prove_files(read(normalised()), read(folded_by_hand(0, 0)), {});
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(verdict.weight_programs == 2);
}

TEST_CASE("One folded with other rounding is equivalent up to constants, and by how much is said") {
  const FileVerdict verdict = prove_files(read(normalised()), read(folded_by_hand(3, 0)), {});
  CHECK(verdict.outcome == Outcome::EquivalentUpToConstants);
  CHECK(verdict.inexact_constants == 1);
  CHECK(verdict.max_ulp == 3);
}

// What is off is held against the terms that are added up, not against what is left of them.
TEST_CASE("A fold is rounding up to a few units, or as many as are asked for, and no more") {
  const auto outcome = [](int ulps, double most) {
    FileProofOptions options;
    options.proof.max_ulp = most;
    return prove_files(read(normalised()), read(folded_by_hand(ulps, 0)), options).outcome;
  };
  CHECK(outcome(4, 4) == Outcome::EquivalentUpToConstants);
  CHECK(outcome(9, 4) == Outcome::Different);
  CHECK(outcome(9, 12) == Outcome::EquivalentUpToConstants);
  CHECK(outcome(1, 0) == Outcome::Different);
}

namespace {

// Numbers whose products and sums are floats.
const std::vector<float> kScale = {2, 0.5F, 4};
const std::vector<float> kShift = {1.25F, -3, 0.5F};

// y = (Conv(x, w) · scale) + shift, or as one convolution with that weight and bias.
OnnxBuilder chain(bool as_one, std::vector<float> bias) {
  OnnxBuilder b;
  b.input("x", {1, 2, 4, 4});
  b.output("y", {1, 3, 4, 4});
  std::vector<float> w = {1.5F, -0.75F, 2.25F, 0.125F, -1.875F, 3.75F};
  if (as_one) {
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= kScale[i / 2];
    b.floats("w", {3, 2, 1, 1}, w);
    b.floats("b", {3}, bias);
    b.node("Conv", {"x", "w", "b"}, {"y"});
    return b;
  }
  b.floats("w", {3, 2, 1, 1}, w);
  b.floats("scale", {1, 3, 1, 1}, kScale);
  b.floats("shift", {3, 1, 1}, kShift);
  b.node("Conv", {"x", "w"}, {"c"});
  b.node("Mul", {"c", "scale"}, {"m"});
  b.node("Add", {"shift", "m"}, {"y"});
  return b;
}

// A transposed convolution of two groups with three channels each, times a number a channel; or
// with the numbers in its weight, those of channel i taken from kept[i].
OnnxBuilder grouped(const std::vector<std::size_t>& kept) {
  OnnxBuilder b;
  b.input("x", {1, 2, 3});
  b.output("y", {1, 6, 4});
  const std::vector<float> factor = {2, 0.5F, 4, -1, 8, 0.25F};
  std::vector<float> w = {1.5F, -0.75F, 2.25F, 0.125F, -1.875F, 3.75F,
                          0.5F, 1.25F,  -2.5F, 0.625F, 1.125F,  -0.25F};
  for (std::size_t i = 0; i < w.size() && !kept.empty(); ++i) w[i] *= factor[kept[i / 2]];
  b.floats("w", {2, 3, 2}, w);
  b.floats("factor", {6, 1}, factor);
  auto& node = b.node("ConvTranspose", {"x", "w"}, {kept.empty() ? "c" : "y"});
  OnnxBuilder::attribute(node, "group", ::onnx::AttributeProto::INT).set_i(2);
  if (kept.empty()) b.node("Mul", {"c", "factor"}, {"y"});
  return b;
}

bool is_equal(Outcome outcome) {
  return outcome == Outcome::Equivalent || outcome == Outcome::EquivalentUpToConstants;
}

}  // namespace

TEST_CASE("A product and a sum that somebody folded into a convolution are equivalent") {
  const Model original = read(chain(false, {}));
  CHECK(prove_files(original, read(chain(true, kShift)), {}).outcome == Outcome::Equivalent);
  std::vector<float> wrong = kShift;
  wrong[1] *= 1.01F;
  CHECK_FALSE(is_equal(prove_files(original, read(chain(true, wrong)), {}).outcome));
}

TEST_CASE("A product folded into a layer of groups is equivalent, each with its own numbers only") {
  const Model original = read(grouped({}));
  const auto outcome = [&](const std::vector<std::size_t>& kept) {
    return prove_files(original, read(grouped(kept)), {}).outcome;
  };
  CHECK(outcome({0, 1, 2, 3, 4, 5}) == Outcome::Equivalent);
  CHECK_FALSE(is_equal(outcome({0, 1, 2, 0, 1, 2})));
  CHECK_FALSE(is_equal(outcome({3, 4, 5, 0, 1, 2})));
  CHECK_FALSE(is_equal(outcome({0, 1, 2, 3, 5, 4})));
}

TEST_CASE("Where only the stored weights make two files equal, it is said how to ask for that") {
  const auto file = [](bool doubled) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    b.output("y", {2, 3});
    if (!doubled) b.floats("two", {3}, {2, 2, 2});
    b.node(doubled ? "Add" : "Mul", {"x", doubled ? "x" : "two"}, {"y"});
    return read(b);
  };
  const FileVerdict verdict = prove_files(file(false), file(true), {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("ask with --weights bound") != std::string::npos);
  FileProofOptions options;
  options.proof.bind_weights = true;
  CHECK(prove_files(file(false), file(true), options).outcome == Outcome::Equivalent);
}

TEST_CASE("What an objection speaks against is not called equal in passing either") {
  // Of what the default of d is added to and taken from nothing is left.
  const auto file = [](bool loses) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    b.input("d", {3});
    b.output("y", {2, 3});
    b.floats("d", {3}, {1e30F, 1e30F, 1e30F});
    b.floats("two", {3}, {2, 2, 2});
    if (loses) {
      b.node("Add", {"x", "x"}, {"twice"});
      b.node("Add", {"twice", "d"}, {"sum"});
      b.node("Sub", {"sum", "d"}, {"y"});
    } else {
      b.node("Mul", {"x", "two"}, {"y"});
    }
    return read(b);
  };
  FileProofOptions options;
  options.proof.bind_weights = true;
  CHECK(prove_files(file(false), file(true), options).outcome == Outcome::Unknown);
  const FileVerdict verdict = prove_files(file(false), file(true), {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("--weights bound") == std::string::npos);
}

TEST_CASE("One folded wrongly is different") {
  CHECK(prove_files(read(normalised()), read(folded_by_hand(0, 1)), {}).outcome ==
        Outcome::Different);
}

namespace {

// y = x * e, with e drawn over three weights and a few numbers.
Graph random_scaled(Rng& rng) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  std::vector<NodeId> values;
  for (int k = 0; k < 3; ++k) values.push_back(test::normal_weight(b, {2, 3}, rng));
  const std::uint64_t steps = 1 + rng.below(5);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const auto any = [&] { return values[rng.below(values.size())]; };
    const float numbers[] = {3, 0.5F, 0.1F, 7, -1};
    const NodeId number = b.add_scalar(numbers[rng.below(5)]);
    switch (rng.below(6)) {
      case 0:
        values.push_back(*b.add(ops::add(), {}, {any(), any()}));
        break;
      case 1:
        values.push_back(*b.add(ops::sub(), {}, {any(), any()}));
        break;
      case 2:
        values.push_back(*b.add(ops::mul(), {}, {any(), any()}));
        break;
      case 3:
        values.push_back(*b.add(ops::div(), {}, {any(), number}));
        break;
      case 4:
        values.push_back(*b.add(ops::add(), {}, {any(), number}));
        break;
      default: {
        const NodeId flat = *b.add(ops::reshape(), {{"shape", Ints{3, 2}}}, {any()});
        values.push_back(*b.add(ops::transpose(), {{"perm", Ints{1, 0}}}, {flat}));
      }
    }
  }
  b.add_output(*b.add(ops::mul(), {}, {x, values.back()}));
  return std::move(b).build();
}

Model written(const Graph& graph, const std::string& programs) {
  const ScratchFolder folder;
  REQUIRE(write_program(graph, 17, folder / "m.onnx").ok());
  OnnxBuilder file;
  REQUIRE(file.model.ParseFromString(read_bytes(folder / "m.onnx")));
  set_metadata(file, programs);
  return read(file);
}

// The last constant that `graph` holds, with one float replaced by its neighbour.
Graph nudged(const Graph& graph, std::size_t element) {
  GraphBuilder b;
  std::vector<NodeId> place;
  for (const Node& node : graph.nodes()) {
    std::vector<NodeId> operands;
    for (const NodeId o : node.operands) operands.push_back(place[o.index()]);
    if (const Tensor* tensor = node.constant()) {
      std::vector<float> values(tensor->floats().begin(), tensor->floats().end());
      values[element] = std::nextafterf(values[element], INFINITY);
      place.push_back(constant(b, values));
    } else {
      place.push_back(node.input() != nullptr ? b.add_input(node.input()->name, node.type)
                                              : *b.add(*node.op(), operands));
    }
  }
  b.add_output(place[graph.outputs()[0].index()]);
  return std::move(b).build();
}

}  // namespace

TEST_CASE("Random weight programs are proved, and never with one float changed") {
  Rng rng(20261121);
  int proved = 0;
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    const Graph original = random_scaled(rng);
    ConstantFolder folder(original, 1, {});
    const auto folded = folder.fold(original);
    if (!folded || folder.count() == 0) continue;
    WeightPrograms programs = std::move(folder).programs();
    ++tried;
    const Model a = written(original, "");
    const FileVerdict verdict = prove_files(a, written(folded->program, *encoded(programs)), {});
    proved += verdict.outcome == Outcome::Equivalent ? 1 : 0;
    CHECK(verdict.outcome != Outcome::Different);
    // Explained by nothing, and by a program that yields another float.
    const Graph other = nudged(folded->program, rng.below(6));
    CHECK(prove_files(a, written(other, *encoded(programs)), {}).outcome != Outcome::Equivalent);
    for (const Node& node : other.nodes())
      if (node.constant() != nullptr) programs.results = {node.constant()->digest()};
    CHECK(prove_files(a, written(other, *encoded(programs)), {}).outcome == Outcome::Unknown);
  }
  CHECK(tried >= 250);
  CHECK(proved >= tried * 8 / 10);
}
