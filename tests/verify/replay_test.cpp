#include "verify/verdict/replay.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

// 1 / (s² − x²) for s = softmax(x), as a product and as a difference: where s and x are nearly
// equal, rounding decides what comes out.
Graph reciprocal_of_difference(bool as_product) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({6, 6}));
  const NodeId s = *b.add(ops::softmax(), {{"axis", std::int64_t{0}}}, {x});
  const NodeId minus = *b.add(ops::sub(), {}, {s, x});
  NodeId difference = *b.add(ops::mul(), {}, {*b.add(ops::add(), {}, {s, x}), minus});
  if (!as_product) {
    difference = *b.add(ops::sub(), {},
                        {*b.add(ops::mul(), {}, {s, minus}),
                         *b.add(ops::mul(), {}, {*b.add(ops::sub(), {}, {x, s}), x})});
  }
  b.add_output(*b.add(ops::reciprocal(), {}, {difference}));
  return std::move(b).build();
}

}  // namespace

TEST_CASE("What rounding makes of the reciprocal of nearly nothing is no witness") {
  const Graph a = reciprocal_of_difference(true);
  const Graph b = reciprocal_of_difference(false);
  constexpr std::uint64_t kSeeds = 60;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::vector<OutputVerdict> outputs(1);
    outputs[0].elements = outputs[0].undecided = 36;
    outputs[0].wrong.basis = DigitBasis::plain({6, 6});
    Marks marks = {std::vector<char>(36, static_cast<char>(Mark::Undecided))};
    replay(PairCode(a, b), Digester("replay test").add(seed).finish(), {}, marks, outputs);
    INFO("seed " << seed);
    CHECK(!outputs[0].witness);
  }
}

namespace {

// What a replay finds between two programs of one output of four elements, over many seeds.
std::size_t witnesses(const Graph& a, const Graph& b) {
  std::size_t out = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<OutputVerdict> outputs(1);
    outputs[0].elements = outputs[0].undecided = 4;
    outputs[0].wrong.basis = DigitBasis::plain({4});
    Marks marks = {std::vector<char>(4, static_cast<char>(Mark::Undecided))};
    replay(PairCode(a, b), Digester("replay test").add(seed).finish(), {}, marks, outputs);
    out += outputs[0].witness ? 1U : 0U;
  }
  return out;
}

using Built = NodeId (*)(GraphBuilder&, NodeId x);

Graph program(Built of_x) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({4}));
  b.add_output(of_x(b, x));
  return std::move(b).build();
}

NodeId applied(GraphBuilder& b, const OpDef& def, std::vector<NodeId> operands) {
  return *b.add(def, {}, std::move(operands));
}

NodeId times(GraphBuilder& b, NodeId x, float factor) {
  return applied(b, ops::mul(), {x, b.add_scalar(factor)});
}

NodeId nothing(GraphBuilder& b, NodeId x) { return times(b, x, 0); }

}  // namespace

TEST_CASE("A jump behind what saturates or is absorbed is no witness") {
  // All of them are 0 everywhere but where x is 0, over the reals; in floating point of any size
  // some are 1.
  const auto [why, built] = GENERATE(table<const char*, Built>({
      {"the floor of what is below 1",
       [](GraphBuilder& b, NodeId x) {
         const NodeId squared = applied(b, ops::mul(), {x, x});
         return applied(b, ops::floor(), {applied(b, ops::tanh(), {times(b, squared, 1e4F)})});
       }},
      {"the floor of the error function",
       [](GraphBuilder& b, NodeId x) {
         const NodeId squared = applied(b, ops::mul(), {x, x});
         return applied(b, ops::floor(), {applied(b, ops::erf(), {times(b, squared, 1e4F)})});
       }},
      {"whether 1 is not above the hyperbolic tangent",
       [](GraphBuilder& b, NodeId x) {
         const NodeId squared = applied(b, ops::mul(), {x, x});
         const NodeId below = applied(b, ops::tanh(), {times(b, squared, 1e4F)});
         const NodeId is_not = applied(b, ops::greater_or_equal(), {below, b.add_scalar(1)});
         return *b.add(ops::cast(), {{"to", std::int64_t{1}}}, {is_not});
       }},
      {"the floor of 1 less something tiny",
       [](GraphBuilder& b, NodeId x) {
         const NodeId squared = applied(b, ops::mul(), {x, x});
         const NodeId tiny = times(b, squared, 1e-25F);
         return applied(b, ops::floor(), {applied(b, ops::sub(), {b.add_scalar(1), tiny})});
       }},
      {"the threshold of what is not above it",
       [](GraphBuilder& b, NodeId x) {
         const NodeId squared = applied(b, ops::mul(), {x, x});
         const NodeId below = applied(b, ops::tanh(), {times(b, squared, 1e4F)});
         const NodeId beyond = applied(b, ops::add(), {below, below});
         const NodeId half = times(b, applied(b, ops::sub(), {b.add_scalar(4), beyond}), 0.5F);
         const NodeId above = *b.add(ops::thresholded_relu(), {{"alpha", 1.0}}, {half});
         return applied(b, ops::add(), {above, times(b, half, -1)});
       }},
  }));
  INFO(why);
  CHECK(witnesses(program(built), program(nothing)) == 0);
}

TEST_CASE("What an attention computes is seen where its mask hides nothing") {
  // A mask of ones and zeros becomes one of 0 and of the lowest float, which absorbs all that it is
  // added to.
  const auto masked = [](float scale) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({4}));
    const NodeId mask = b.add_input("mask", {DType::Int64, Shape{4}});
    const NodeId seen = *b.add(ops::cast(), {{"to", std::int64_t{9}}}, {mask});  // bool
    const NodeId hidden = b.add_scalar(std::numeric_limits<float>::lowest());
    const NodeId added = *b.add(ops::where(), {}, {seen, b.add_scalar(0), hidden});
    const NodeId scores = *b.add(ops::add(), {}, {times(b, x, scale), added});
    b.add_output(*b.add(ops::softmax(), {{"axis", std::int64_t{0}}}, {scores}));
    return std::move(b).build();
  };
  CHECK(witnesses(masked(0.5F), masked(0.25F)) == 20);
  CHECK(witnesses(masked(0.5F), masked(0.5F)) == 0);
}

TEST_CASE("A jump is a witness where the argument is beyond doubt") {
  const auto [why, first, second] = GENERATE(table<const char*, Built, Built>({
      {"integers are not rounded",
       [](GraphBuilder& b, NodeId x) { return applied(b, ops::floor(), {x}); },
       [](GraphBuilder& b, NodeId x) { return applied(b, ops::ceil(), {x}); }},
      {"sums of integers are integers",
       [](GraphBuilder& b, NodeId x) {
         const NodeId sum = applied(b, ops::add(), {x, times(b, x, 2)});
         return applied(b, ops::sign(), {applied(b, ops::sub(), {sum, times(b, x, 3)})});
       },
       [](GraphBuilder& b, NodeId x) {
         const NodeId floor =
             applied(b, ops::floor(), {times(b, applied(b, ops::ceil(), {x}), 0.5F)});
         return applied(b, ops::sign(), {applied(b, ops::add(), {floor, b.add_scalar(3)})});
       }},
      {"of a function it is far from the jumps",
       [](GraphBuilder& b, NodeId x) {
         return applied(b, ops::floor(), {times(b, applied(b, ops::sigmoid(), {x}), 7)});
       },
       [](GraphBuilder& b, NodeId x) {
         return applied(b, ops::ceil(), {times(b, applied(b, ops::sigmoid(), {x}), 7)});
       }},
  }));
  INFO(why);
  CHECK(witnesses(program(first), program(second)) == 20);
}
