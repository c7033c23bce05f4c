// Programs of more steps than those have that run with drawn errors in any case: what is far worse
// in floats than the original has to be suspected first.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/sketch.h"
#include "verify/bitmap_checker.h"
#include "verify/step_limit.h"

using namespace pet;
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

// x, over the reals.
NodeId much_of(Sketch& s, NodeId x, NodeId same, float times) {
  return s.op("Sub", {s.op("Mul", {same, s.scalar(times + 1)}), s.op("Mul", {x, s.scalar(times)})});
}

// x less its mean.
NodeId centred(Sketch& s, NodeId x) {
  return s.op("Sub", {x, s.op("ReduceMean", {{"axes", Ints{1}}}, {x})});
}

}  // namespace

TEST_CASE("Growth from function to function is more than each of them alone") {
  // A tanh of x, or much of a tanh of x by a matrix and its inverse.
  is_ill_conditioned([](Sketch& s, NodeId x, NodeId) { return s.op("Tanh", {x}); },
                     [](Sketch& s, NodeId x, NodeId) {
                       const NodeId matrix = s.constant({2, 2}, {101, 100, 100, 99});
                       const NodeId inverse = s.constant({2, 2}, {-99, 100, 100, -101});
                       const NodeId same = s.op("MatMul", {s.op("MatMul", {x, matrix}), inverse});
                       return much_of(s, s.op("Tanh", {x}), s.op("Tanh", {same}), 20000);
                     },
                     {1 << 16, 2});
}

namespace {

// Of x, rounded otherwise: a matrix of two columns and its inverse, sums 40,000 times as large.
NodeId rounded_otherwise(Sketch& s, NodeId x) {
  const NodeId matrix = s.constant({2, 2}, {101, 100, 100, 99});
  const NodeId inverse = s.constant({2, 2}, {-99, 100, 100, -101});
  return s.op("MatMul", {s.op("MatMul", {x, matrix}), inverse});
}

NodeId transposed(Sketch& s, NodeId x) { return s.transpose(x, {1, 0}); }

NodeId transposed_tanh(Sketch& s, NodeId x) {
  return transposed(s, s.op("Tanh", {transposed(s, x)}));
}

// tanh(x), over the reals.
NodeId much_of_tanh(Sketch& s, NodeId x) {
  return much_of(s, s.op("Tanh", {x}), s.op("Tanh", {rounded_otherwise(s, x)}), 20000);
}

}  // namespace

TEST_CASE("One function of two roundings is two things, however they lie") {
  const Shape shape = {40000, 2};
  const Program tanh = [](Sketch& s, NodeId x, NodeId) { return s.op("Tanh", {x}); };

  SECTION("one transposed") {
    is_ill_conditioned(
        tanh,
        [](Sketch& s, NodeId x, NodeId) {
          return much_of(s, s.op("Tanh", {x}), transposed_tanh(s, rounded_otherwise(s, x)), 20000);
        },
        shape);
  }
  SECTION("both in one tensor") {
    is_ill_conditioned(
        tanh,
        [](Sketch& s, NodeId x, NodeId) {
          const NodeId both = s.op("Tanh", {s.concat({x, rounded_otherwise(s, x)}, 1)});
          return much_of(s, s.slice(both, 1, 0, 2), s.slice(both, 1, 2, 4), 20000);
        },
        shape);
  }
  SECTION("pieces that overlap") {
    is_ill_conditioned(
        tanh,
        [](Sketch& s, NodeId x, NodeId) {
          const NodeId right = s.op("Tanh", {s.slice(x, 1, 1, 2)});
          const NodeId all = transposed_tanh(s, rounded_otherwise(s, x));
          return s.concat({s.slice(all, 1, 0, 1), much_of(s, right, s.slice(all, 1, 1, 2), 20000)},
                          1);
        },
        shape);
  }
  SECTION("the original has both") {
    const auto both = [](const Program& program) {
      return [=](Sketch& s, NodeId x, NodeId z) {
        const NodeId there = s.op("Sigmoid", {transposed_tanh(s, x)});
        return s.concat({there, program(s, x, z)}, 1);
      };
    };
    is_ill_conditioned(both(tanh), both([](Sketch& s, NodeId x, NodeId) {
                         return much_of(s, s.op("Tanh", {x}),
                                        transposed_tanh(s, rounded_otherwise(s, x)), 20000);
                       }),
                       shape);
  }
  SECTION("the original has it in another layout") {
    is_ill_conditioned([](Sketch& s, NodeId x, NodeId) { return transposed_tanh(s, x); },
                       [](Sketch& s, NodeId x, NodeId) { return much_of_tanh(s, x); }, shape);
  }
  SECTION("beside what has grown as much") {
    is_ill_conditioned(
        [](Sketch& s, NodeId x, NodeId) {
          return s.op("Add", {s.op("Tanh", {x}), x});
        },
        [](Sketch& s, NodeId x, NodeId) {
          const NodeId same = rounded_otherwise(s, x);
          return s.op("Add", {much_of(s, s.op("Tanh", {x}), s.op("Tanh", {same}), 20000), same});
        },
        shape);
  }
}

TEST_CASE("What an operator sums besides a function of its own stays what it is") {
  const Shape shape = {120000, 2};
  SECTION("a batch normalisation of two") {
    const auto normalised = [](Sketch& s, NodeId x, NodeId z) {
      const NodeId y =
          s.op("BatchNormalization", {x, s.constant({2}, {1, 2}), s.constant({2}, {1, 3}),
                                      s.constant({2}, {0.5F, 0.25F}), s.constant({2}, {2, 3})});
      return s.op("Relu", {s.op("Add", {y, z})});
    };
    is_ill_conditioned(
        [&](Sketch& s, NodeId x, NodeId z) { return normalised(s, s.op("Tanh", {x}), z); },
        [&](Sketch& s, NodeId x, NodeId z) { return normalised(s, much_of_tanh(s, x), z); }, shape);
  }
  SECTION("two layer normalisations, of which one is twice the other") {
    const auto layers = [](bool is_worse) {
      return [=](Sketch& s, NodeId x, NodeId) {
        const NodeId twice = s.op("LayerNormalization", {x, s.constant({2}, {2, 6})});
        const NodeId same = is_worse ? rounded_otherwise(s, x) : x;
        const NodeId once = s.op("LayerNormalization", {same, s.constant({2}, {1, 3})});
        if (!is_worse) return s.concat({once, twice}, 1);
        const NodeId much = s.op("Mul", {once, s.scalar(20001)});
        return s.concat({s.op("Sub", {much, s.op("Mul", {twice, s.scalar(10000)})}), twice}, 1);
      };
    };
    is_ill_conditioned(layers(false), layers(true), shape);
  }
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

TEST_CASE("Beside a mask nothing hides what is lost of the rest") {
  const auto mask = [](Sketch& s, NodeId z) {
    return s.op("Mul", {s.op("Sub", {s.scalar(1), z}), s.scalar(-1e9F)});
  };
  is_ill_conditioned(
      [&](Sketch& s, NodeId x, NodeId z) {
        return s.op("Softmax", {{"axis", 1}}, {s.op("Add", {x, mask(s, z)})});
      },
      [&](Sketch& s, NodeId x, NodeId z) {
        // Both in the second of two products, so that x itself is nowhere.
        const NodeId much = s.op("MatMul", {x, s.constant({2, 2}, {10001, 10000, 10000, 9999})});
        const NodeId back = s.constant({4, 2}, {-9999, 10000, 10000, -10001, 1, 0, 0, 1});
        return s.op("Softmax", {{"axis", 1}},
                    {s.op("MatMul", {s.concat({much, mask(s, z)}, 1), back})});
      },
      {120000, 2});
}

TEST_CASE("What is left of a tensor without its mean is not to be seen beside that tensor") {
  is_ill_conditioned(
      [](Sketch& s, NodeId x, NodeId) { return s.op("Relu", {centred(s, x)}); },
      [](Sketch& s, NodeId x, NodeId) {
        const NodeId much = s.op("Mul", {x, s.scalar(3)});
        return s.op("Relu", {s.op("Sub", {s.op("Add", {centred(s, x), much}), much})});
      });
}
