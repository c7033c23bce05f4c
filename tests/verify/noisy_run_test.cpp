// Programs run with drawn errors: what is kept from draw to draw changes nothing.
#include "verify/rounding/noisy_run.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/sketch.h"

using namespace pet;

namespace {

std::shared_ptr<const Tensor> weights(const Shape& shape, float first) {
  std::vector<float> out(static_cast<std::size_t>(count(shape)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = first + 0.37F * static_cast<float>(i % 7);
  return std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(out)));
}

// Relu(x (v w)) + tanh(exp(sums of v w)), the constants' product read twice.
Graph with_product_of_constants(float first) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({6, 8}));
  const NodeId v = b.add_constant(weights({8, 8}, first));
  const NodeId w = b.add_constant(weights({8, 8}, -1));
  const NodeId vw = *b.add(ops::mat_mul(), {}, {v, w});
  const NodeId sum = *b.add(ops::mat_mul(), {}, {x, vw});
  const NodeId row = *b.add(ops::reduce_sum(), {{"axes", Ints{0}}, {"keepdims", 0}}, {vw});
  const NodeId far = *b.add(ops::tanh(), {}, {*b.add(ops::exp(), {}, {row})});
  b.add_output(*b.add(ops::add(), {}, {*b.add(ops::relu(), {}, {sum}), far}));
  return std::move(b).build();
}

struct Ran {
  std::vector<DrawnErrors> errors;  // by draw
  std::vector<bool> finite;
};

Ran run(NoisyProgram& program, std::span<const Draw> draws) {
  Ran out;
  const auto finite = program.run(draws, [&](NodeId, std::vector<DrawnErrors> drawn) -> Status {
    out.errors = std::move(drawn);
    return Done{};
  });
  REQUIRE(finite.ok());
  out.finite = *finite;
  return out;
}

std::vector<char> only_output(const Graph& graph) {
  std::vector<char> out(graph.nodes().size(), 0);
  out[graph.outputs()[0].index()] = 1;
  return out;
}

bool are_equal(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

void is_the_same_in_any_order(const Graph& graph) {
  const GraphCode code(graph);
  const Digest seed = digest_of("test", "noise");
  NoisyProgram kept(code, only_output(graph), seed, 1, {});
  for (const Draw& draw : kDraws) {
    NoisyProgram fresh(code, only_output(graph), seed, 1, {});
    const Ran again = run(kept, {&draw, 1});
    const Ran alone = run(fresh, {&draw, 1});
    CHECK(again.finite == alone.finite);
    REQUIRE(again.errors.size() == 1);
    CHECK(are_equal(again.errors[0].values.values(), alone.errors[0].values.values()));
    CHECK(are_equal(again.errors[0].errors.values(), alone.errors[0].errors.values()));
  }
}

}  // namespace

TEST_CASE("What follows from constants is drawn once, and errs in every draw") {
  const Graph graph = with_product_of_constants(1);
  is_the_same_in_any_order(graph);
  const GraphCode code(graph);
  NoisyProgram program(code, only_output(graph), digest_of("test", "noise"), 1, {});
  // x is 0 times something in none of these: what is left of the errors is the constants'.
  const Draw zeros{Spreading::FewOnes, Spreading::FewOnes};
  for (int draw = 0; draw < 2; ++draw) {
    const Ran ran = run(program, {&zeros, 1});
    CHECK(ran.finite[0]);
    for (const double error : ran.errors[0].errors.values()) CHECK(error > 0);
  }
}

TEST_CASE(
    "Constants that leave the floats do so in every draw, though what follows is there again") {
  const Graph graph = with_product_of_constants(100);
  is_the_same_in_any_order(graph);
  const GraphCode code(graph);
  NoisyProgram program(code, only_output(graph), digest_of("test", "noise"), 1, {});
  for (int draw = 0; draw < 2; ++draw) CHECK_FALSE(run(program, {kDraws.data(), 1}).finite[0]);
}
