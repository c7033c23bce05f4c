#include "core/eval/point_eval.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"

namespace pet {
namespace {

const Digest kSecret = digest_of("test", "secret");
const PrimeField kField(kLargestPrime);

TEST_CASE("A chain of a hundred thousand operators is evaluated without recursion") {
  GraphBuilder builder;
  NodeId x = builder.add_input("x", float_tensor({2}));
  const NodeId input = x;
  for (int i = 0; i < 100000; ++i) x = *builder.add(ops::add(), {}, {x, input});
  const Graph graph = std::move(builder).build();
  PointEvaluator points(graph, kField, random_leaves(kField, kSecret, graph), kSecret, 10'000'000);
  const auto first = points.value(input, 1);
  REQUIRE(first.ok());
  CHECK(*points.value(x, 1) == kField.mul(*first, 100001));
}

TEST_CASE("Too much work is an error that says so") {
  GraphBuilder builder;
  const NodeId a = builder.add_input("a", float_tensor({1, 1000}));
  const NodeId b = builder.add_input("b", float_tensor({1000, 1}));
  const NodeId product = *builder.add(ops::mat_mul(), {}, {a, b});
  const Graph graph = std::move(builder).build();
  const Leaves leaves = random_leaves(kField, kSecret, graph);
  CHECK_FALSE(PointEvaluator(graph, kField, leaves, kSecret, 999).value(product, 0).ok());
  PointEvaluator enough(graph, kField, leaves, kSecret, 1000);
  CHECK(enough.value(product, 0).ok());
  CHECK(enough.steps() == 1000);
  CHECK(enough.value(product, 0).ok());  // remembered
}

TEST_CASE("An element is evaluated once however often it is read") {
  GraphBuilder builder;
  NodeId x = builder.add_input("x", float_tensor({4}));
  for (int i = 0; i < 60; ++i) x = *builder.add(ops::mul(), {}, {x, x});
  const Graph graph = std::move(builder).build();
  PointEvaluator points(graph, kField, random_leaves(kField, kSecret, graph), kSecret, 1000);
  CHECK(points.value(x, 3).ok());
  CHECK(points.steps() < 200);
}

TEST_CASE("An opaque operator is an error") {
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({4}));
  const NodeId opaque = builder.add_opaque("some::Op", kSecret, {x}, float_tensor({4}));
  const NodeId sum = *builder.add(ops::add(), {}, {opaque, x});
  const Graph graph = std::move(builder).build();
  const auto value =
      PointEvaluator(graph, kField, random_leaves(kField, kSecret, graph), kSecret, 1000)
          .value(sum, 0);
  REQUIRE_FALSE(value.ok());
  CHECK(value.error().kind == ErrorKind::Unsupported);
}

TEST_CASE(
    "Constants of the original are symbols, single numbers and a mutant's own constants are "
    "exact") {
  GraphBuilder original;
  const auto weights = test::float_constant({2}, {0.5F, 3.0F});
  const NodeId w = original.add_constant(weights);
  const NodeId half = original.add_scalar(0.5F);
  const Graph first = std::move(original).build();
  GraphBuilder mutant;
  const NodeId own = mutant.add_constant(test::float_constant({3}, {0.5F, 3.0F, -1.0F}));
  const NodeId same = mutant.add_constant(weights);
  const Graph second = std::move(mutant).build();
  const Leaves leaves = random_leaves(kField, kSecret, first);
  const std::uint32_t one_half = kField.inverse(2);
  CHECK(leaves(first.node(half))(0) == one_half);
  CHECK(leaves(first.node(w))(0) != one_half);
  CHECK(leaves(second.node(own))(0) == one_half);
  CHECK(leaves(second.node(own))(2) == kField.prime() - 1);
  CHECK(leaves(second.node(same))(1) == leaves(first.node(w))(1));
}

TEST_CASE("Numbers without an exact residue are symbols") {
  GraphBuilder builder;
  const NodeId infinite = builder.add_scalar(std::numeric_limits<float>::infinity());
  const NodeId integers =
      builder.add_constant(std::make_shared<const Tensor>(Tensor::of_ints({1}, {7})));
  const Graph graph = std::move(builder).build();
  const Leaves leaves = random_leaves(kField, kSecret, graph);
  CHECK(leaves(graph.node(infinite))(0) < kField.prime());
  CHECK(leaves(graph.node(integers))(0) != 7);
}

TEST_CASE("Inputs are told apart by name and type") {
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({2}));
  const NodeId y = builder.add_input("y", float_tensor({2}));
  const Graph graph = std::move(builder).build();
  const Leaves leaves = random_leaves(kField, kSecret, graph);
  CHECK(leaves(graph.node(x))(0) == random_leaves(kField, kSecret, graph)(graph.node(x))(0));
  CHECK(leaves(graph.node(x))(0) != leaves(graph.node(x))(1));
  CHECK(leaves(graph.node(x))(0) != leaves(graph.node(y))(0));
}

}  // namespace
}  // namespace pet
