// One-hot inputs, the exact engine's second road, against the first one.
#include "verify/exact/one_hot.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "tests/fuzz/pair.h"
#include "tests/support/sketch.h"
#include "verify/exact/exact_engine.h"

using namespace pet;
using pet::test::Sketch;

namespace {

constexpr std::uint64_t kSteps = 1 << 16;

using Program = std::function<NodeId(Sketch&)>;
using Agreement = std::optional<std::vector<char>>;  // of the only output

Graph graph(const Program& program) {
  Sketch sketch;
  const NodeId result = program(sketch);
  return std::move(sketch).finish({result});
}

Agreement agree(const Program& original, const Program& mutant, bool bind_weights = false,
                std::uint64_t most_steps = kSteps) {
  const auto all = agree_at_one_hot(graph(original), graph(mutant), bind_weights, most_steps, {});
  return all ? Agreement(all->front()) : std::nullopt;
}

NodeId x_of(Sketch& s) { return s.input("x", {1, 3}); }
NodeId w_of(Sketch& s) { return s.input("w", {1, 1}); }

NodeId summed(Sketch& s, NodeId x) { return s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {x}); }

}  // namespace

TEST_CASE("A sum times w agrees with w at every single 1, but not where the sum is 0") {
  const Program product = [](Sketch& s) { return s.op("Mul", {summed(s, x_of(s)), w_of(s)}); };
  const Program alone = [](Sketch& s) {
    x_of(s);
    return s.op("Identity", {w_of(s)});
  };
  const Program inside = [](Sketch& s) { return summed(s, s.op("Mul", {x_of(s), w_of(s)})); };
  CHECK(agree(product, alone) == Agreement(std::vector<char>{0}));
  CHECK(agree(product, inside) == Agreement(std::vector<char>{1}));
}

TEST_CASE("Positions are told apart one by one") {
  const Program product = [](Sketch& s) { return s.op("Mul", {x_of(s), w_of(s)}); };
  const Program shifted = [](Sketch& s) {
    const NodeId x = x_of(s);
    const NodeId moved =
        s.concat({s.slice(x, 1, 0, 1), s.slice(x, 1, 0, 1), s.slice(x, 1, 2, 3)}, 1);
    return s.op("Mul", {w_of(s), moved});
  };
  CHECK(agree(product, shifted) == Agreement({1, 0, 1}));
}

TEST_CASE("Weights are symbols, or what is stored for them") {
  const auto times = [](std::vector<float> weights) {
    return [weights](Sketch& s) { return s.op("Mul", {x_of(s), s.constant({1, 3}, weights)}); };
  };
  const Program turned = [](Sketch& s) { return s.op("Mul", {s.ramp({1, 3}), x_of(s)}); };
  CHECK(agree(times({1, 2, 3}), turned) == Agreement({1, 1, 1}));
  CHECK(agree(times({1, 2, 3}), times({1, 2, 4})) == Agreement({0, 0, 0}));
  CHECK(agree(times({1, 2, 3}), times({1, 2, 4}), true) == Agreement({1, 1, 0}));
}

TEST_CASE("Nothing is said of squares, functions, and what takes too long") {
  const Program plain = [](Sketch& s) { return s.op("Mul", {x_of(s), w_of(s)}); };
  const Program square = [](Sketch& s) {
    const NodeId x = x_of(s);
    return s.op("Mul", {x, x});
  };
  const Program function = [](Sketch& s) { return s.op("Relu", {x_of(s)}); };
  CHECK(agree(plain, plain));
  CHECK_FALSE(agree(square, plain));
  CHECK_FALSE(agree(plain, square));
  CHECK_FALSE(agree(function, function));
  CHECK_FALSE(agree(plain, plain, false, 40));
}

TEST_CASE("Polynomials and one-hot inputs say the same of random pairs") {
  std::size_t compared = 0;
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const fuzz::Pair pair = fuzz::random_pair(seed);
    const auto agreed = agree_at_one_hot(pair.original, pair.mutant, false, kSteps, {});
    if (!agreed) continue;
    ++compared;
    const Verdict verdict = ExactEngine().check(pair.original, pair.mutant, {});
    INFO(seed << ": " << verdict.reason);
    CHECK_FALSE(verdict.engines_disagree);
    REQUIRE(verdict.outputs.size() == agreed->size());
    for (std::size_t i = 0; i < agreed->size(); ++i) {
      const Dim equal = std::count((*agreed)[i].begin(), (*agreed)[i].end(), 1);
      CHECK(verdict.outputs[i].equal == equal);
      if (equal < verdict.outputs[i].elements) ++different;
    }
  }
  CHECK(compared > 40);
  CHECK(different > 10);
}
