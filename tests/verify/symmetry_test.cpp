// One channel for all: what may be compared so, and each pair that is equal at one and wrong at
// others.
#include "verify/symmetry/symmetry.h"

#include <catch2/catch.hpp>

#include "tests/support/sketch.h"
#include "verify/symmetry/thinned.h"

using namespace pet;
using test::Sketch;

namespace {

symmetry::Options drawn() {
  symmetry::Options out;
  out.secret = digest_of("symmetry test", "1");
  return out;
}

// Programs that may differ, and what is left to be looked at.
void check_equal(const Graph& a, const Graph& b, double most_share) {
  const auto compared = symmetry::compare(a, b, drawn());
  INFO((compared ? "" : compared.error().message));
  REQUIRE(compared.ok());
  CHECK(compared->are_equal);
  CHECK(compared->log2_error <= -100);
  CHECK(compared->share <= most_share);
}

void check_different(const Graph& a, const Graph& b) {
  const auto compared = symmetry::compare(a, b, drawn());
  INFO((compared ? "" : compared.error().message));
  REQUIRE(compared.ok());
  CHECK_FALSE(compared->are_equal);
}

using Sketched = NodeId (*)(Sketch& s);

Graph sketched(Sketched built) {
  Sketch s;
  const NodeId y = built(s);
  return std::move(s).finish({y});
}

constexpr Dim kChannels = 12;

NodeId input(Sketch& s, Dim rows = 3) { return s.input("x", {rows, kChannels}); }
NodeId weight(Sketch& s, Shape shape = {kChannels, kChannels}) { return s.ramp(std::move(shape)); }
NodeId product(Sketch& s, NodeId a, NodeId b) { return s.op("MatMul", {a, b}); }
NodeId times(Sketch& s, NodeId a, NodeId b) { return s.op("Mul", {a, b}); }
NodeId plus(Sketch& s, NodeId a, NodeId b) { return s.op("Add", {a, b}); }
NodeId summed(Sketch& s, NodeId x, Dim axis) {
  return s.op("ReduceSum", {{"axes", Ints{axis}}}, {x});
}
NodeId mean(Sketch& s, NodeId x, Dim axis) {
  return s.op("ReduceMean", {{"axes", Ints{axis}}}, {x});
}
NodeId column(Sketch& s, NodeId x, Dim at) { return s.slice(x, 1, at, at + 1); }

}  // namespace

TEST_CASE("Channels of a product are looked at one for all") {
  // x W, and the same from the other side.
  check_equal(sketched([](Sketch& s) { return product(s, input(s), weight(s)); }),
              sketched([](Sketch& s) {
                const NodeId x = s.transpose(input(s), {1, 0});
                return s.transpose(product(s, s.transpose(weight(s), {1, 0}), x), {1, 0});
              }),
              0.1);
}

TEST_CASE("Channels behind reshapes are digits") {
  check_equal(sketched([](Sketch& s) {
                const NodeId x = s.input("x", {2, 5, 4, kChannels});
                return product(s, x, weight(s));
              }),
              sketched([](Sketch& s) {
                const NodeId x = s.reshape(s.input("x", {2, 5, 4, kChannels}), {40, kChannels});
                return s.reshape(product(s, x, weight(s)), {2, 5, 4, kChannels});
              }),
              0.1);
}

TEST_CASE("A convolution by transformed weights in another layout") {
  // Three frames' taps side by side, as known numbers pick them.
  const auto original = sketched([](Sketch& s) {
    const NodeId x = s.input("x", {1, 16, 8});
    return s.op("Conv", {{"pads", Ints{1, 1}}}, {x, s.ramp({32, 16, 3})});
  });
  const auto mutant = sketched([](Sketch& s) {
    const NodeId x = s.op("Pad", {{"pads", Ints{0, 0, 1, 0, 0, 1}}}, {s.input("x", {1, 16, 8})});
    NodeId sum;
    for (Dim tap = 0; tap < 3; ++tap) {
      const NodeId w = s.slice(s.ramp({32, 16, 3}), 2, tap, tap + 1);
      const NodeId y = s.op("Conv", {s.slice(x, 2, tap, tap + 8), w});
      sum = tap == 0 ? y : plus(s, sum, y);
    }
    return sum;
  });
  check_equal(original, mutant, 0.05);
}

TEST_CASE("What is added inside of a sum counts as often as it is there") {
  check_equal(sketched([](Sketch& s) {
                const NodeId x = input(s);
                const NodeId b = s.input("b", {1, 1});
                return summed(s, plus(s, times(s, x, weight(s, {kChannels})), b), 1);
              }),
              sketched([](Sketch& s) {
                const NodeId x = input(s);
                const NodeId b = s.input("b", {1, 1});
                const NodeId sum = summed(s, times(s, x, weight(s, {kChannels})), 1);
                return plus(s, sum, times(s, b, s.scalar(kChannels)));
              }),
              0.5);
}

TEST_CASE("Pairs that agree at one channel and not at others are different") {
  const auto [why, first, second] = GENERATE(table<const char*, Sketched, Sketched>({
      {"a fixed row of the weight",
       [](Sketch& s) { return times(s, input(s), weight(s, {kChannels})); },
       [](Sketch& s) { return times(s, input(s), s.slice(weight(s, {kChannels}), 0, 0, 1)); }},
      {"a permuted weight that leaves the first where it is",
       [](Sketch& s) { return times(s, input(s), weight(s, {kChannels})); },
       [](Sketch& s) {
         const NodeId w = weight(s, {kChannels});
         const NodeId swapped = s.concat({s.slice(w, 0, 0, 1), s.slice(w, 0, 2, 3),
                                          s.slice(w, 0, 1, 2), s.slice(w, 0, 3, kChannels)},
                                         0);
         return times(s, input(s), swapped);
       }},
      {"a weight and its mirror image, which agree in the middle",
       [](Sketch& s) {
         const NodeId x = s.input("x", {3, 3});
         const NodeId w = s.ramp({3});
         const NodeId mirrored =
             s.concat({s.slice(w, 0, 2, 3), s.slice(w, 0, 1, 2), s.slice(w, 0, 0, 1)}, 0);
         return times(s, x, plus(s, w, mirrored));
       },
       [](Sketch& s) {
         const NodeId x = s.input("x", {3, 3});
         return times(s, x, times(s, s.ramp({3}), s.scalar(2)));
       }},
      {"a residual that reads the first channel",
       [](Sketch& s) {
         const NodeId x = input(s);
         return plus(s, product(s, x, weight(s)), x);
       },
       [](Sketch& s) {
         const NodeId x = input(s);
         return plus(s, product(s, x, weight(s)), column(s, x, 0));
       }},
      {"known numbers and their squares, equal where they are 1",
       [](Sketch& s) {
         const NodeId x = input(s);
         weight(s);
         return times(s, x, s.ramp({kChannels}, 0.5F));
       },
       [](Sketch& s) {
         std::vector<float> squares(kChannels);
         for (std::size_t i = 0; i < squares.size(); ++i)
           squares[i] = i == 0 ? 1.0F : 0.25F * static_cast<float>((i + 1) * (i + 1));
         return times(s, input(s), s.constant({kChannels}, std::move(squares)));
       }},
      {"a product of sums and the sum of products",
       [](Sketch& s) {
         const NodeId x = input(s);
         const NodeId y = s.input("y", {3, kChannels});
         return times(s, summed(s, times(s, x, weight(s, {kChannels})), 1), summed(s, y, 1));
       },
       [](Sketch& s) {
         const NodeId x = input(s);
         const NodeId y = s.input("y", {3, kChannels});
         return summed(s, times(s, times(s, x, weight(s, {kChannels})), y), 1);
       }},
      {"the square of a sum and the sum of squares",
       [](Sketch& s) {
         const NodeId sum = summed(s, input(s), 1);
         return times(s, sum, sum);
       },
       [](Sketch& s) {
         const NodeId x = input(s);
         return summed(s, times(s, x, x), 1);
       }},
      {"the last channel cut off",
       [](Sketch& s) { return summed(s, times(s, input(s), weight(s, {kChannels})), 1); },
       [](Sketch& s) {
         const NodeId x = s.slice(input(s), 1, 0, kChannels - 1);
         return summed(s, times(s, x, s.slice(weight(s, {kChannels}), 0, 0, kChannels - 1)), 1);
       }},
      {"a bias outside of the sum and inside",
       [](Sketch& s) {
         const NodeId x = input(s);
         const NodeId b = s.input("b", {1, 1});
         return plus(s, summed(s, times(s, x, weight(s, {kChannels})), 1), b);
       },
       [](Sketch& s) {
         const NodeId x = input(s);
         const NodeId b = s.input("b", {1, 1});
         return summed(s, plus(s, times(s, x, weight(s, {kChannels})), b), 1);
       }},
      {"a number everywhere and only at the first channel",
       [](Sketch& s) { return times(s, input(s), s.input("b", {1})); },
       [](Sketch& s) {
         const NodeId x = input(s);
         const NodeId b = s.input("b", {1});
         return times(s, x, s.op("Pad", {{"pads", Ints{0, kChannels - 1}}}, {b}));
       }},
      {"a mean and a sum", [](Sketch& s) { return mean(s, input(s), 1); },
       [](Sketch& s) { return summed(s, input(s), 1); }},
      {"the diagonal of x x^T",
       [](Sketch& s) {
         const NodeId x = input(s, kChannels);
         return product(s, x, s.transpose(x, {1, 0}));
       },
       [](Sketch& s) {
         const NodeId x = input(s, kChannels);
         return plus(s, times(s, x, s.scalar(0)), summed(s, times(s, x, x), 1));
       }},
      {"a residual at one channel and a sum over all",
       [](Sketch& s) {
         const NodeId x = input(s);
         return plus(s, x, summed(s, x, 1));
       },
       [](Sketch& s) {
         const NodeId x = input(s);
         return plus(s, times(s, x, s.scalar(2)), times(s, x, s.scalar(0)));
       }},
  }));
  INFO(why);
  check_different(sketched(first), sketched(second));
}

TEST_CASE("A product of two sums over one digit leaves it alone") {
  // Equal, and only to be seen at all channels.
  const auto squared = [](bool first) {
    Sketch s;
    const NodeId x = input(s);
    const NodeId sum = summed(s, times(s, x, weight(s, {kChannels})), 1);
    const NodeId other =
        first ? sum : product(s, x, s.reshape(weight(s, {kChannels}), {kChannels, 1}));
    return std::move(s).finish({times(s, sum, other)});
  };
  const auto digits = symmetry::in_digits(squared(true), squared(false));
  REQUIRE(digits.ok());
  const auto free = symmetry::free_digits(*digits);
  for (std::size_t value = 0; value < digits->values.size(); ++value) {
    for (std::size_t k = 0; k < digits->values[value].digits.size(); ++k) {
      if (digits->values[value].digits[k] == kChannels)
        CHECK(free.of_values[value][k] == symmetry::Freedom::None);
    }
  }
  check_equal(squared(true), squared(false), 1);
}

TEST_CASE("Group convolutions are symmetric in groups where data and weight both carry them") {
  check_equal(sketched([](Sketch& s) {
                const NodeId x = s.input("x", {1, 32, 6});
                return s.op("Conv", {{"group", 8}, {"pads", Ints{1, 1}}}, {x, s.ramp({16, 4, 3})});
              }),
              sketched([](Sketch& s) {
                const NodeId x = s.input("x", {1, 32, 6});
                const NodeId w = s.ramp({16, 4, 3});
                return s.op("Conv", {{"group", 8}, {"pads", Ints{1, 1}}},
                            {s.reshape(s.reshape(x, {1, 8, 4, 6}), {1, 32, 6}), w});
              }),
              0.2);
}

TEST_CASE("Functions are not looked into") {
  const Graph a = sketched([](Sketch& s) { return s.op("Relu", {input(s)}); });
  CHECK_FALSE(symmetry::compare(a, a, drawn()).ok());
}

TEST_CASE("Coefficients that are squared again and again are turned down") {
  const auto squared = [](bool first) {
    Sketch s;
    const NodeId x = input(s);
    NodeId c = s.scalar(0.1F);
    for (int i = 0; i < 40; ++i) c = times(s, c, c);
    return std::move(s).finish({first ? times(s, x, c) : times(s, c, x)});
  };
  CHECK_FALSE(symmetry::compare(squared(true), squared(false), drawn()).ok());
}
