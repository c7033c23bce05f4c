// Constants of constants get the nearest float, and an error where there is none.
#include "core/eval/rounding.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"
#include "tests/support/weights.h"

using namespace pet;

namespace {

constexpr std::size_t kMany = 4000;

std::vector<float> drawn(std::size_t number, std::uint64_t seed) {
  Rng rng(seed);
  return test::normal_floats(number, rng);
}

NodeId constant(GraphBuilder& b, std::vector<float> values) {
  const Shape shape = {static_cast<Dim>(values.size())};
  return b.add_constant(test::float_constant(shape, std::move(values)));
}

Result<Tensor> rounded(GraphBuilder b, NodeId node) {
  b.add_output(node);
  const Graph graph = std::move(b).build();
  return correctly_rounded(graph, graph.outputs()[0], 2, {});
}

// No closer float: the difference to the exact value is at most half of each neighbour's distance.
void check_nearest(float s, const Rational& e) {
  const Rational mine = abs(exact(static_cast<double>(s)) - e);
  for (const float other : {std::nextafterf(s, -INFINITY), std::nextafterf(s, INFINITY)}) {
    const Rational theirs = abs(exact(static_cast<double>(other)) - e);
    const bool tie_to_even = mine == theirs && (std::bit_cast<std::uint32_t>(s) & 1U) == 0;
    CHECK((mine < theirs || tie_to_even));
  }
}

}  // namespace

TEST_CASE("Sums that lie between two floats go to the even one") {
  const auto x = drawn(kMany, 1);
  const auto y = drawn(kMany, 2);
  GraphBuilder b;
  const NodeId sum = *b.add(ops::add(), {}, {constant(b, x), constant(b, y)});
  const auto out = rounded(std::move(b), sum);
  REQUIRE(out.ok());
  for (std::size_t i = 0; i < kMany; ++i)
    CHECK(out->floats()[i] ==
          static_cast<float>(static_cast<double>(x[i]) + static_cast<double>(y[i])));
}

TEST_CASE("Thirds and products go to the nearest float") {
  const auto x = drawn(kMany, 3);
  const auto y = drawn(kMany, 4);
  GraphBuilder b;
  const NodeId product = *b.add(ops::mul(), {}, {constant(b, x), constant(b, y)});
  const NodeId sum = *b.add(ops::add(), {}, {product, constant(b, x)});
  const NodeId third = *b.add(ops::div(), {}, {sum, b.add_scalar(3)});
  const auto out = rounded(std::move(b), third);
  REQUIRE(out.ok());
  for (std::size_t i = 0; i < kMany; ++i) {
    const Rational p = exact(static_cast<double>(x[i]));
    check_nearest(out->floats()[i], (p * exact(static_cast<double>(y[i])) + p) / 3);
  }
}

TEST_CASE("Sums of three weights, and their thirds, go to the nearest float") {
  const std::array<std::vector<float>, 3> taps = {drawn(kMany, 5), drawn(kMany, 6),
                                                  drawn(kMany, 7)};
  std::vector<float> all;
  for (const auto& tap : taps) all.insert(all.end(), tap.begin(), tap.end());
  GraphBuilder b;
  const NodeId weight = b.add_constant(test::float_constant({3, kMany}, std::move(all)));
  const NodeId matrix = b.add_constant(
      test::float_constant({2, 3, 3}, {1, -1, 1, 0, 0, 0, 0, 0, 0, 4, 2, 1, 0, 0, 0, 0, 0, 0}));
  const NodeId thirds =
      *b.add(ops::reduce_mean(), {{"axes", Ints{1}}, {"keepdims", std::int64_t{0}}}, {matrix});
  const NodeId product = *b.add(ops::mat_mul(), {}, {thirds, weight});
  const auto out = rounded(std::move(b), product);
  REQUIRE(out.ok());
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto tap = [&](std::size_t k) { return exact(static_cast<double>(taps[k][i])); };
    check_nearest(out->floats()[i], (tap(0) - tap(1) + tap(2)) / 3);
    check_nearest(out->floats()[kMany + i], (4 * tap(0) + 2 * tap(1) + tap(2)) / 3);
  }
}

TEST_CASE("Products that no double holds on the way go to the nearest float") {
  std::vector<float> tiny = drawn(kMany, 8);
  std::vector<float> huge = drawn(kMany, 9);
  for (float& x : tiny) x = std::ldexp(1 + std::abs(std::sin(x)), -106);
  for (float& x : huge) x = std::ldexp(1 + std::abs(std::sin(x)), 115);
  GraphBuilder b;
  const NodeId first = constant(b, tiny);
  const NodeId second = constant(b, huge);
  NodeId product = first;
  for (int k = 1; k < 10; ++k) product = *b.add(ops::mul(), {}, {product, first});
  for (int k = 0; k < 9; ++k) product = *b.add(ops::mul(), {}, {product, second});
  const auto out = rounded(std::move(b), product);
  REQUIRE(out.ok());
  for (std::size_t i = 0; i < kMany; ++i) {
    Rational e = 1;
    for (int k = 0; k < 10; ++k) e *= exact(static_cast<double>(tiny[i]));
    for (int k = 0; k < 9; ++k) e *= exact(static_cast<double>(huge[i]));
    check_nearest(out->floats()[i], e);
  }
}

TEST_CASE("A normalisation's scale is rounded once") {
  auto scale = drawn(kMany, 5);
  auto variance = drawn(kMany, 6);
  for (float& v : variance) v = v * v;
  GraphBuilder b;
  const NodeId root = *b.add(ops::sqrt(), {}, {constant(b, variance)});
  const NodeId folded = *b.add(ops::div(), {}, {constant(b, scale), root});
  const auto out = rounded(std::move(b), folded);
  REQUIRE(out.ok());
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto expected =
        static_cast<long double>(scale[i]) / std::sqrt(static_cast<long double>(variance[i]));
    CHECK(out->floats()[i] == static_cast<float>(expected));
  }
}

TEST_CASE("What vanishes exactly is zero, even between huge numbers") {
  GraphBuilder b;
  const NodeId w = constant(b, {1.5F, -2.0F});
  const NodeId huge = constant(b, {1e30F, 3e38F});
  const NodeId sum = *b.add(ops::add(), {}, {w, huge});
  const NodeId back = *b.add(ops::sub(), {}, {sum, huge});
  const NodeId nothing = *b.add(ops::sub(), {}, {back, w});
  const auto there = rounded(b, back);
  REQUIRE(there.ok());
  CHECK(there->floats()[0] == 1.5F);
  const auto out = rounded(b, nothing);
  REQUIRE(out.ok());
  CHECK(out->floats()[0] == 0.0F);
  CHECK_FALSE(std::signbit(out->floats()[1]));
}

TEST_CASE("What no float holds is refused") {
  const auto message = [](auto make) {
    GraphBuilder b;
    const NodeId node = make(b);
    const auto out = rounded(std::move(b), node);
    return out ? std::string("accepted") : out.error().message;
  };
  CHECK(message([](GraphBuilder& b) {
          return *b.add(ops::mul(), {}, {constant(b, {1, 2e38F}), b.add_scalar(2)});
        }) == "element 1 overflows");
  CHECK(
      message([](GraphBuilder& b) {
        const NodeId small = *b.add(ops::mul(), {}, {constant(b, {1, 3}), b.add_scalar(0x1p-100F)});
        return *b.add(ops::mul(), {}, {small, b.add_scalar(0x1p-100F)});
      }) == "element 0 is too small for a float");
  CHECK(message([](GraphBuilder& b) {
          return *b.add(ops::sqrt(), {}, {constant(b, {1, -1})});
        }).find("undefined") != std::string::npos);
  CHECK(message([](GraphBuilder& b) {
          return *b.add(ops::tanh(), {}, {constant(b, {1, 1})});
        }).find("no enclosure") != std::string::npos);
  CHECK(message([](GraphBuilder& b) {
          const NodeId x = b.add_input("x", float_tensor({2}));
          return *b.add(ops::add(), {}, {constant(b, {1, 1}), x});
        }).find("constants alone") != std::string::npos);
  CHECK(message([](GraphBuilder& b) {
          return *b.add(ops::add(), {}, {constant(b, {1, INFINITY}), b.add_scalar(1)});
        }).find("finite") != std::string::npos);
}

TEST_CASE("A subnormal result is accepted only where it is exact") {
  GraphBuilder b;
  const NodeId w = constant(b, {1, 3});
  const NodeId small = *b.add(ops::mul(), {}, {w, b.add_scalar(0x1p-130F)});
  const auto out = rounded(b, small);
  REQUIRE(out.ok());
  CHECK(out->floats()[1] == 3 * 0x1p-130F);
  const NodeId third = *b.add(ops::div(), {}, {small, b.add_scalar(3)});
  CHECK_FALSE(rounded(b, third).ok());
}

TEST_CASE("What a sum lost counts as often as the sum is multiplied by itself") {
  // (1 + 2^-65)^n, for n = 2^16 about 1 + 2^-49: of that nothing is left in any precision of the
  // machine. Times (1 + 2^-12)^2 - 2^-51 it is just above the middle of two floats, and seems to be
  // far enough below.
  constexpr int kSquares = 16;
  GraphBuilder b;
  NodeId x = *b.add(ops::add(), {}, {constant(b, {1}), constant(b, {0x1p-65F})});
  for (int i = 0; i < kSquares; ++i) x = *b.add(ops::mul(), {}, {x, x});
  const NodeId root = constant(b, {1 + 0x1p-12F});
  const NodeId middle = *b.add(ops::mul(), {}, {root, root});
  const NodeId below = *b.add(ops::sub(), {}, {middle, constant(b, {0x1p-51F})});
  const NodeId product = *b.add(ops::mul(), {}, {below, x});
  const auto out = rounded(std::move(b), product);
  REQUIRE(out.ok());
  CHECK(out->floats()[0] == 1 + 0x1p-11F + 0x1p-23F);
}

TEST_CASE("What no long double holds on the way counts in the end") {
  // 2^-20000 is 0 in long doubles. Made large again it is 2^-24, which takes 1 + 2^-23 to the
  // middle of two floats, of which the upper one is even.
  GraphBuilder b;
  NodeId x = constant(b, {0x1p-24F});
  for (const float factor : {0x1p-125F, 0x1p125F}) {
    const NodeId each = constant(b, {factor});
    for (int i = 0; i < 160; ++i) x = *b.add(ops::mul(), {}, {x, each});
  }
  const NodeId sum = *b.add(ops::add(), {}, {x, constant(b, {1 + 0x1p-23F})});
  const auto out = rounded(std::move(b), sum);
  REQUIRE(out.ok());
  CHECK(out->floats()[0] == 1 + 0x1p-22F);
}

TEST_CASE("A program of two to the power of thirty paths is refused, not walked") {
  GraphBuilder b;
  NodeId x = constant(b, {1, 0.1F});
  for (int i = 0; i < 30; ++i)
    x = *b.add(ops::div(), {}, {*b.add(ops::add(), {}, {x, x}), b.add_scalar(3)});
  const auto out = rounded(std::move(b), x);
  CHECK((out.ok() || out.error().message.find("steps") != std::string::npos));
}

TEST_CASE(
    "Products with a matrix of thirds and halves are rounded once, whatever lies between two "
    "floats") {
  const std::vector<float> factors = {1, -1, 1, 0.5F, 0.5F, -0.5F, 4, 2, 1, 0, 0, 1};
  const Dim columns = 1500;
  for (const int bits : {3, 12, 24}) {
    // Few bits make values that are floats exactly, and the middle of two more often.
    std::vector<float> w = drawn(static_cast<std::size_t>(3 * columns), 5);
    for (float& x : w)
      x = static_cast<float>(std::ldexp(std::rint(std::ldexp(x, bits - 2)), 2 - bits));
    GraphBuilder b;
    const NodeId g = b.add_constant(test::float_constant({4, 3, 1}, factors));
    const NodeId longer = *b.add(ops::pad(), {{"pads", Ints{0, 0, 0, 0, 0, 2}}}, {g});
    const NodeId thirds =
        *b.add(ops::reduce_mean(), {{"axes", Ints{2}}, {"keepdims", Dim{0}}}, {longer});
    const NodeId flat = *b.add(ops::reshape(), {{"shape", Ints{3, columns}}}, {constant(b, w)});
    const NodeId product = *b.add(ops::mat_mul(), {}, {thirds, flat});
    const NodeId turned = *b.add(ops::transpose(), {{"perm", Ints{1, 0}}}, {product});
    const auto out = rounded(std::move(b), turned);
    REQUIRE(out.ok());
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
      for (std::size_t r = 0; r < 4; ++r) {
        Rational e = 0;
        for (std::size_t k = 0; k < 3; ++k)
          e += exact(static_cast<double>(factors[3 * r + k])) *
               exact(static_cast<double>(w[k * static_cast<std::size_t>(columns) + c])) / 3;
        check_nearest(out->floats()[4 * c + r], e);
      }
    }
  }
}
