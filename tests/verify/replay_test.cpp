#include "verify/verdict/replay.h"

#include <catch2/catch.hpp>

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
