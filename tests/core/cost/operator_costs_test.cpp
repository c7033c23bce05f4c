#include "core/cost/operator_costs.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

PricedOperator convolution(Dim features) {
  return {*make_op(ops::conv(), {}),
          {float_tensor({1, 8, 9, 9}), float_tensor({features, 8, 3, 3})},
          {0, 1},
          false};
}

TEST_CASE("An operator costs what it does by itself, a view nothing") {
  EstimatedCosts costs;
  CHECK(costs.ms(convolution(32)) > costs.ms(convolution(16)));
  CHECK(costs.ms(convolution(16)) > 0);
  const PricedOperator view{
      *make_op(ops::reshape(), {{"shape", Ints{6}}}), {float_tensor({2, 3})}, {0}, false};
  CHECK(costs.ms(view) == 0);
}

TEST_CASE("What cannot be made of types alone costs a call") {
  EstimatedCosts costs({.ms_per_operator = 0.25});
  PricedOperator unknown = convolution(4);
  unknown.operands[0].shape.reset();
  CHECK(costs.ms(unknown) == 0.25);
  PricedOperator wrong = convolution(4);
  wrong.operands[1] = float_tensor({4, 7, 3, 3});
  CHECK(costs.ms(wrong) == 0.25);
}

TEST_CASE("Equal operators on equal types are one, whatever they are called in a program") {
  CHECK(digest_of(convolution(4)) == digest_of(convolution(4)));
  CHECK(digest_of(convolution(4)) != digest_of(convolution(5)));
  PricedOperator computed = convolution(4);
  computed.weights[1] = 0;
  CHECK(digest_of(computed) != digest_of(convolution(4)));
  PricedOperator elsewhere = convolution(4);
  elsewhere.among_own_layout = true;
  CHECK(digest_of(elsewhere) != digest_of(convolution(4)));
}

TEST_CASE("A program costs the sum of what runs: not of weights, nor of what nobody needs") {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 8, 9, 9}));
  const NodeId w = b.add_constant(std::make_shared<const Tensor>(
      Tensor::of_floats({16, 8, 3, 3}, std::vector<float>(16 * 8 * 9, 1))));
  const NodeId made = *b.add(ops::relu(), {}, {w});
  const NodeId y = *b.add(ops::conv(), {}, {x, made});
  CHECK(b.add(ops::tanh(), {}, {y}).ok());
  b.add_output(*b.add(ops::relu(), {}, {y}));
  const Graph graph = std::move(b).build();
  EstimatedCosts costs;
  PricedOperator conv = convolution(16);
  conv.among_own_layout = true;
  const PricedOperator relu{*make_op(ops::relu(), {}), {float_tensor({1, 16, 7, 7})}, {0}, true};
  CHECK(sum_ms(graph, costs) == Approx(costs.ms(conv) + costs.ms(relu)));
}

}  // namespace
}  // namespace pet
