#include "core/program/composites.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/core/program/programs.h"

using namespace pet;
using pet::test::Programs;

namespace {

const Attrs kLast{{"axes", Ints{2}}};

// The only composite of a program, if it has one.
std::vector<NodeId> only(const Graph& program, CompositeKind kind) {
  const auto found = find_composites(program);
  REQUIRE(found.size() == 1);
  CHECK(to_string(found[0].kind) == to_string(kind));
  return found[0].nodes;
}

}  // namespace

TEST_CASE("Gelu spelled out is one composite, its factors in either order") {
  for (const bool half_first : {true, false}) {
    Programs p;
    const NodeId x = p.matmul(p.input({2, 3, 4}), 4);
    const NodeId scaled = p.op(ops::div(), {x, p.number(std::sqrt(2.0F))});
    const NodeId erf = p.op(ops::erf(), {scaled});
    const NodeId shifted = p.add(erf, p.number(1));
    std::vector<NodeId> expected{scaled, erf, shifted};
    const NodeId inner =
        half_first ? p.op(ops::mul(), {x, p.number(0.5)}) : p.op(ops::mul(), {x, shifted});
    const NodeId outer =
        half_first ? p.op(ops::mul(), {inner, shifted}) : p.op(ops::mul(), {inner, p.number(0.5)});
    expected.insert(expected.end(), {inner, outer});
    p.output(p.matmul(outer, 4));
    CHECK(only(std::move(p).build(), CompositeKind::Gate) == expected);
  }
}

TEST_CASE(
    "SiLU and hard-swish are gates, and a normalisation of images behind one is not part of it") {
  Programs p;
  const NodeId x = p.conv(p.input({1, 4, 5, 5}), 4);
  const NodeId sigmoid = p.op(ops::sigmoid(), {x});
  const NodeId silu = p.op(ops::mul(), {x, sigmoid});
  const NodeId norm = p.op(ops::batch_normalization(),
                           {silu, p.weight({4}), p.weight({4}), p.weight({4}), p.weight({4})});
  const NodeId y = p.conv(norm, 4);
  const NodeId up = p.add(y, p.number(3));
  const NodeId clip = p.op(ops::clip(), {up, p.number(0), p.number(6)});
  const NodeId gated = p.op(ops::mul(), {y, clip});
  const NodeId swish = p.op(ops::div(), {gated, p.number(6)});
  p.output(p.conv(swish, 4));
  const auto found = find_composites(std::move(p).build());
  REQUIRE(found.size() == 2);
  CHECK(found[0].nodes == std::vector<NodeId>{sigmoid, silu});
  CHECK(found[1].nodes == std::vector<NodeId>{up, clip, gated, swish});
}

TEST_CASE("LayerNormalization spelled out is one composite with its scale and shift") {
  Programs p;
  const NodeId residual = p.input({2, 3, 4});
  const NodeId x = p.add(p.matmul(residual, 4), residual);
  const NodeId mean = p.op(ops::reduce_mean(), {x}, kLast);
  const NodeId centred = p.op(ops::sub(), {x, mean});
  const NodeId squared = p.op(ops::mul(), {centred, centred});
  const NodeId variance = p.op(ops::reduce_mean(), {squared}, kLast);
  const NodeId shifted = p.add(variance, p.number(1e-5F));
  const NodeId deviation = p.op(ops::sqrt(), {shifted});
  const NodeId normal = p.op(ops::div(), {centred, deviation});
  const NodeId scaled = p.op(ops::mul(), {normal, p.weight({4})});
  const NodeId out = p.add(scaled, p.weight({4}));
  p.output(p.matmul(out, 4));
  const std::vector<NodeId> expected{mean,      centred, squared, variance, shifted,
                                     deviation, normal,  scaled,  out};
  CHECK(only(std::move(p).build(), CompositeKind::Normalization) == expected);
}

TEST_CASE("Attention is one composite from its scores to what they mix") {
  Programs p;
  const NodeId x = p.input({2, 4, 6});
  const NodeId q = p.matmul(x, 6);
  const NodeId k = p.op(ops::transpose(), {p.matmul(x, 6)}, {{"perm", Ints{0, 2, 1}}});
  const NodeId v = p.matmul(x, 6);
  const NodeId scores = p.op(ops::mat_mul(), {q, k});
  const NodeId scaled = p.op(ops::mul(), {scores, p.number(0.4F)});
  const NodeId masked = p.add(scaled, p.input({4, 4}));
  const NodeId weights = p.op(ops::softmax(), {masked});
  const NodeId mixed = p.op(ops::mat_mul(), {weights, v});
  p.output(p.matmul(mixed, 6));
  const std::vector<NodeId> expected{scores, scaled, masked, weights, mixed};
  CHECK(only(std::move(p).build(), CompositeKind::Attention) == expected);
}

TEST_CASE("A composite whose inside is read elsewhere is none, nor is a residual block") {
  Programs p;
  const NodeId x = p.conv(p.input({1, 4, 5, 5}), 4);
  const NodeId sigmoid = p.op(ops::sigmoid(), {x});
  p.output(p.op(ops::mul(), {x, sigmoid}));
  p.output(sigmoid);
  CHECK(find_composites(std::move(p).build()).empty());
  Programs block;
  const NodeId in = block.input({1, 4, 5, 5});
  block.output(block.relu(block.add(block.conv(block.relu(block.conv(in, 4)), 4), in)));
  CHECK(find_composites(std::move(block).build()).empty());
}
