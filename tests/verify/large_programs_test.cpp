// Programs of more steps than those have that run with drawn errors in any case: what is far worse
// in floats than the original has to be suspected first.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/verify/rounded_otherwise.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/values/step_limit.h"

using namespace pet;
using pet::test::much_of;
using pet::test::rounded_otherwise;
using pet::test::Sketch;

namespace {

const Shape kShape = {512, 256};

// The output; x and z are inputs.
using Program = std::function<NodeId(Sketch&, NodeId x, NodeId z)>;

void is_ill_conditioned(const Program& original, const Program& mutant,
                        const Shape& shape = kShape) {
  const auto graph = [&](const Program& program) {
    Sketch s;
    const NodeId x = s.input("x", shape);
    const NodeId z = s.input("z", shape);
    return std::move(s).finish({program(s, x, z)});
  };
  const Graph a = graph(original);
  const Graph b = graph(mutant);
  REQUIRE(evaluation_steps(a) + evaluation_steps(b) > 0x1p20);
  ProofOptions options;
  options.proof_seed = "1";
  const Verdict verdict = BitmapChecker().check(a, b, options);
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.starts_with("ill-conditioned: rounding errors"));
}

// x less its mean.
NodeId centred(Sketch& s, NodeId x) {
  return s.op("Sub", {x, s.op("ReduceMean", {{"axes", Ints{1}}}, {x})});
}

}  // namespace

TEST_CASE("Long rows are read once for all of their elements") {
  const auto softmax = [](bool across) {
    Sketch s;
    const NodeId x = s.input("x", {1024, 1024});
    if (!across) return std::move(s).finish({s.op("Softmax", {{"axis", 1}}, {x})});
    const NodeId columns = s.op("Softmax", {{"axis", 0}}, {s.transpose(x, {1, 0})});
    return std::move(s).finish({s.transpose(columns, {1, 0})});
  };
  ProofOptions options;
  options.proof_seed = "1";
  const Verdict verdict = BitmapChecker().check(softmax(false), softmax(true), options);
  INFO(verdict.reason);
  CHECK(verdict.outcome == Outcome::Equivalent);
}

// Far from 1 the small ones are below the normal floats, and log tells their digits apart.
TEST_CASE("What is divided and multiplied by a constant far from 1 has lost its last digits") {
  is_ill_conditioned(
      [](Sketch& s, NodeId x, NodeId) { return s.op("Log", {s.op("Sigmoid", {x})}); },
      [](Sketch& s, NodeId x, NodeId) {
        const NodeId small = s.op("Div", {s.op("Sigmoid", {x}), s.constant({}, {0x1p20F})});
        return s.op("Log", {s.op("Mul", {small, s.constant({}, {0x1p20F})})});
      },
      {512, 400});
}

TEST_CASE("Growth from function to function is more than each of them alone") {
  const Program tanh = [](Sketch& s, NodeId x, NodeId) { return s.op("Tanh", {x}); };
  is_ill_conditioned(tanh,
                     [](Sketch& s, NodeId x, NodeId) {
                       const NodeId there = s.op("Tanh", {rounded_otherwise(s, x)});
                       return much_of(s, s.op("Tanh", {x}), there);
                     },
                     {1 << 16, 2});
  // The same where one of the two lies transposed.
  is_ill_conditioned(tanh,
                     [](Sketch& s, NodeId x, NodeId) {
                       const NodeId across = s.transpose(rounded_otherwise(s, x), {1, 0});
                       const NodeId there = s.transpose(s.op("Tanh", {across}), {1, 0});
                       return much_of(s, s.op("Tanh", {x}), there);
                     },
                     {1 << 16, 2});
}

TEST_CASE("A little growth in each of many layers is much") {
  const auto layers = [](bool is_worse) {
    return [=](Sketch& s, NodeId x, NodeId) {
      const auto read = [&](NodeId t, NodeId u) { return is_worse ? much_of(s, t, u, 16) : t; };
      NodeId t = x;
      NodeId u = x;
      for (int layer = 0; layer < 6; ++layer) {
        const NodeId next = s.op("Tanh", {read(t, u)});
        t = is_worse ? s.op("Tanh", {t}) : next;
        u = next;
      }
      return read(t, u);
    };
  };
  is_ill_conditioned(layers(false), layers(true), {256, 128});
}

TEST_CASE("What the original has exactly is not to be rounded on another way to it") {
  const Program original = [](Sketch& s, NodeId x, NodeId z) {
    return s.op("Relu", {s.op("Sub", {x, z})});
  };
  is_ill_conditioned(original, [](Sketch& s, NodeId x, NodeId z) {
    return s.op("Relu", {s.op("Sub", {much_of(s, x, x, 2), z})});
  });
  is_ill_conditioned(original, [](Sketch& s, NodeId x, NodeId z) {
    const NodeId same =
        s.op("Add", {s.op("Mul", {x, s.scalar(3)}), s.op("Mul", {x, s.scalar(-2)})});
    return s.op("Relu", {s.op("Sub", {same, z})});
  });
}

TEST_CASE("What is left of a tensor without its mean is not to be seen beside that tensor") {
  is_ill_conditioned(
      [](Sketch& s, NodeId x, NodeId) { return s.op("Relu", {centred(s, x)}); },
      [](Sketch& s, NodeId x, NodeId) {
        const NodeId much = s.op("Mul", {x, s.scalar(3)});
        return s.op("Relu", {s.op("Sub", {s.op("Add", {centred(s, x), much}), much})});
      });
}
