#include "core/program/fingerprint.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"

namespace pet {
namespace {

constexpr std::size_t kPositions = 32;

NodeId added(GraphBuilder& builder, const OpDef& def, Attrs attrs, std::vector<NodeId> operands) {
  auto node = builder.add(def, std::move(attrs), std::move(operands));
  if (!node) FAIL(node.error().message);
  return *node;
}

Graph finished(GraphBuilder builder, NodeId output) {
  builder.add_output(output);
  return std::move(builder).build();
}

std::shared_ptr<const Tensor> weights(float last) {
  std::vector<float> values(std::size_t{4 * 4 * 3 * 3}, 0.25F);
  values.back() = last;
  return test::float_constant({4, 4, 3, 3}, std::move(values));
}

const Attrs kPadded{{"pads", Ints{1, 1, 1, 1}}};

Graph convolution(float last) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  return finished(b, added(b, ops::conv(), kPadded, {x, b.add_constant(weights(last))}));
}

// The images of the batch side by side, convolved at once: wrong at the seam and nowhere else.
Graph joined_convolution() {
  GraphBuilder b;
  NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  x = added(b, ops::transpose(), {{"perm", Ints{1, 2, 0, 3}}}, {x});
  x = added(b, ops::reshape(), {{"shape", Ints{1, 4, 8, 16}}}, {x});
  x = added(b, ops::conv(), kPadded, {x, b.add_constant(weights(0.25F))});
  x = added(b, ops::reshape(), {{"shape", Ints{4, 8, 2, 8}}}, {x});
  return finished(b, added(b, ops::transpose(), {{"perm", Ints{2, 0, 1, 3}}}, {x}));
}

Result<Fingerprint> fingerprint(const Graph& original, const Graph& mutant) {
  return Fingerprinter(original, 1, kPositions).compare(mutant);
}

TEST_CASE("A program agrees with itself at every position") {
  const auto same = fingerprint(convolution(0.25F), convolution(0.25F));
  REQUIRE(same.ok());
  CHECK(same->positions == kPositions);
  CHECK(same->agree == kPositions);
}

TEST_CASE("A mutant that is wrong at a seam agrees elsewhere and is not discarded") {
  const auto partial = fingerprint(convolution(0.25F), joined_convolution());
  REQUIRE(partial.ok());
  CHECK(partial->agree > 0);
  CHECK(partial->agree < partial->positions);
  CHECK_FALSE(partial->all_wrong());
}

TEST_CASE("A mutant with other weights is wrong everywhere") {
  const auto different = fingerprint(convolution(0.25F), convolution(0.5F));
  REQUIRE(different.ok());
  CHECK(different->all_wrong());
}

TEST_CASE("A linear pool and the same pool after a convolution agree in the order of both") {
  const auto pooled = [](bool first) {
    GraphBuilder b;
    NodeId x = b.add_input("x", float_tensor({1, 4, 8, 8}));
    const NodeId w =
        b.add_constant(test::float_constant({2, 4, 1, 1}, std::vector<float>(8, 0.5F)));
    const Attrs window{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};
    if (first) x = added(b, ops::average_pool(), window, {x});
    x = added(b, ops::conv(), {}, {x, w});
    if (!first) x = added(b, ops::average_pool(), window, {x});
    return finished(b, x);
  };
  const auto exchanged = fingerprint(pooled(true), pooled(false));
  REQUIRE(exchanged.ok());
  CHECK(exchanged->agree == exchanged->positions);
}

TEST_CASE("Element functions of two programs are the same functions") {
  const auto program = [](const OpDef& def) {
    GraphBuilder b;
    return finished(b, added(b, def, {}, {b.add_input("x", float_tensor({50}))}));
  };
  CHECK(fingerprint(program(ops::relu()), program(ops::relu()))->agree == kPositions);
  CHECK(fingerprint(program(ops::relu()), program(ops::sigmoid()))->all_wrong());
}

TEST_CASE("Programs of different shapes are an error") {
  GraphBuilder b;
  const Graph other = finished(b, b.add_input("x", float_tensor({3})));
  CHECK_FALSE(fingerprint(convolution(0.25F), other).ok());
}

TEST_CASE("Positions are distinct, sorted, and touch corners and borders") {
  Rng rng(5);
  const Shape shape = {3, 50, 70};
  const auto positions = stratified_positions(shape, rng, 40);
  CHECK(positions.size() == 40);
  CHECK(std::is_sorted(positions.begin(), positions.end()));
  CHECK(std::adjacent_find(positions.begin(), positions.end()) == positions.end());
  const auto corners = std::count_if(positions.begin(), positions.end(), [](Dim flat) {
    const Dim z = flat % 70;
    const Dim y = flat / 70 % 50;
    return (z == 0 || z == 69) && (y == 0 || y == 49);
  });
  CHECK(corners >= 4);
  CHECK(positions.front() >= 0);
  CHECK(positions.back() < 3 * 50 * 70);
}

TEST_CASE("A small output is looked at everywhere") {
  Rng rng(6);
  CHECK(stratified_positions({2, 3}, rng, 40) == std::vector<Dim>{0, 1, 2, 3, 4, 5});
  CHECK(stratified_positions({}, rng, 40) == std::vector<Dim>{0});
  CHECK(stratified_positions({2, 0}, rng, 40).empty());
}

}  // namespace
TEST_CASE("One look at a mutant ends where it agrees, and a wrong one is looked at everywhere") {
  const auto scaled = [](float factor) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({4, 5}));
    b.add_output(*b.add(ops::mul(), {}, {x, b.add_scalar(factor)}));
    return std::move(b).build();
  };
  const Fingerprinter fingerprinter(scaled(2), 7, 8);
  const auto same = fingerprinter.look(scaled(2));
  REQUIRE(same.ok());
  CHECK(same->agrees);
  CHECK(same->tested == 1);
  const auto other = fingerprinter.look(scaled(3));
  REQUIRE(other.ok());
  CHECK_FALSE(other->agrees);
  CHECK(other->tested == 8);
}

}  // namespace pet
