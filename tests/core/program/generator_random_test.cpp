// Subprograms drawn at test time: whatever their shapes, every mutant is a program with their
// inputs and outputs, and the two evaluators of single elements agree on it.
#include <catch2/catch.hpp>

#include "core/eval/linear_points.h"
#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "core/program/mutate/generator.h"
#include "tests/support/seeded.h"
#include "tests/support/weights.h"

using namespace pet;
using namespace pet::test;

namespace {

struct Drawn {
  Shape data;
  Shape weight;
  Attrs attrs;
  bool bias = false;
};

// A convolution of one to three dimensions, extents and kernels of 1 among them.
Drawn random_conv(Rng& rng) {
  const auto rank = static_cast<std::size_t>(rng.between(1, 3));
  const Dim groups = rng.between(1, 3);
  const Dim channels = rng.between(1, 4);
  Drawn out;
  out.data = {rng.between(1, 4), groups * channels};
  out.weight = {groups * rng.between(1, 4), channels};
  Ints strides;
  Ints dilations;
  Ints pads(2 * rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim kernel = rng.between(1, 3);
    strides.push_back(rng.between(1, 2));
    dilations.push_back(rng.between(1, 3));
    const Dim reach = (kernel - 1) * dilations.back() + 1;
    pads[i] = rng.between(0, reach - 1);
    pads[rank + i] = rng.between(0, reach - 1);
    out.data.push_back(rng.between(std::max<Dim>(1, reach - pads[i] - pads[rank + i]), 9));
    out.weight.push_back(kernel);
  }
  out.attrs = {{"group", groups}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}};
  out.bias = rng.below(2) == 0;
  return out;
}

NodeId add_conv(GraphBuilder& b, const Drawn& conv, NodeId x, Rng& rng) {
  std::vector<NodeId> operands = {x, normal_weight(b, conv.weight, rng)};
  if (conv.bias) operands.push_back(normal_weight(b, {conv.weight[0]}, rng));
  return *b.add(ops::conv(), conv.attrs, operands);
}

Graph random_subprogram(Rng& rng) {
  GraphBuilder b;
  Drawn conv = random_conv(rng);
  const NodeId x = b.add_input("x", float_tensor(conv.data));
  const auto kind = rng.below(4);
  if (kind == 0) {  // side by side
    const NodeId y = rng.below(2) == 0 ? x : b.add_input("y", float_tensor(conv.data));
    const NodeId first = add_conv(b, conv, x, rng);
    conv.weight[0] *= rng.between(1, 3);
    const NodeId second = add_conv(b, conv, y, rng);
    b.add_output(first);
    b.add_output(second);
    return std::move(b).build();
  }
  NodeId last = add_conv(b, conv, x, rng);
  const Shape shape = *b.type(last).shape;
  if (kind == 1) {  // a row of two, the second without a kernel
    Shape kernel(shape.size(), 1);
    kernel[0] = rng.between(1, 5);
    kernel[1] = shape[1];
    last = *b.add(ops::conv(), {}, {last, normal_weight(b, kernel, rng)});
  } else if (kind == 2 && shape.back() > 1) {
    last = *b.add(ops::mat_mul(), {}, {last, normal_weight(b, {shape.back(), 3}, rng)});
  }
  b.add_output(last);
  return std::move(b).build();
}

struct Evaluated {
  PrimeField field{kLargestPrime};
  Digest secret = digest_of("test", "points");
};

void check_mutant(const Graph& program, const Graph& mutant, Rng& rng) {
  REQUIRE(mutant.inputs().size() == program.inputs().size());
  REQUIRE(mutant.outputs().size() == program.outputs().size());
  const Evaluated e;
  const Leaves leaves = random_leaves(e.field, e.secret, program);
  auto fast = LinearPoints::of(mutant, e.field, leaves);
  REQUIRE(fast);
  PointEvaluator slow(mutant, e.field, leaves, e.secret, 1 << 22);
  for (std::size_t i = 0; i < program.outputs().size(); ++i) {
    const TensorType& type = mutant.node(mutant.outputs()[i]).type;
    REQUIRE(type == program.node(program.outputs()[i]).type);
    const Dim flat = static_cast<Dim>(rng.below(static_cast<std::uint64_t>(count(*type.shape))));
    CHECK(*fast->value(mutant.outputs()[i], flat) == *slow.value(mutant.outputs()[i], flat));
  }
}

}  // namespace

TEST_CASE("Every mutant of a random subprogram is a program of its types, evaluated alike twice") {
  Seeded rng;
  CAPTURE(rng.drawn);
  std::size_t mutants = 0;
  for (int i = 0; i < 40; ++i) {
    const Graph program = random_subprogram(rng);
    INFO(to_string(program));
    MutantGenerator generator(program, {.max_steps = 40, .seed = rng.next(), .positions = 8});
    while (auto mutant = generator.next()) {
      INFO(in_words(mutant->moves));
      INFO(to_string(mutant->program));
      check_mutant(program, mutant->program, rng);
      ++mutants;
    }
  }
  CHECK(mutants > 100);
}

TEST_CASE("What a mutant computes from weights alone is folded into constants") {
  Seeded rng;
  CAPTURE(rng.drawn);
  for (int i = 0; i < 6; ++i) {
    const Graph program = random_subprogram(rng);
    INFO(to_string(program));
    MutantGenerator generator(program, {.max_steps = 8, .seed = rng.next(), .positions = 8});
    while (auto mutant = generator.next()) {
      INFO(in_words(mutant->moves));
      ConstantFolder folder(program, 1, {});
      const auto folded = folder.fold(mutant->program);
      REQUIRE(folded.ok());
      for (const Node& node : folded->program.nodes()) {
        CHECK((node.op() == nullptr ||
               std::any_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
                 return folded->program.node(operand).constant() == nullptr;
               })));
      }
    }
  }
}
