// Windows: which elements a position sees, what is a hole, and what their order means.
#include "core/eval/windows.h"

#include <catch2/catch.hpp>

#include "core/eval/evaluate.h"
#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/lanes.h"

namespace pet {
namespace {

const Digest kSecret = digest_of("test", "secret");

std::vector<PrimeField> two_primes() {
  KeyStream keys(digest_of("test", "primes"), 0);
  return draw_primes(keys, 2);
}

Meaning meaning_of(const OpDef& def, Attrs attrs, const std::vector<Shape>& shapes) {
  auto meaning = def.lower(*make_op(def, std::move(attrs)), shapes);
  REQUIRE(meaning.ok());
  return *std::move(meaning);
}

// The same small integers under both primes.
std::vector<std::uint32_t> hashed(const Meaning& meaning, const Shape& shape,
                                  const std::vector<std::uint32_t>& values) {
  const auto x = test::of_lanes<std::uint32_t>(shape, {values, values});
  const std::vector<const ResidueTensor*> operands = {&x};
  auto out = ResidueEvaluator(two_primes(), kSecret, 1).evaluate(meaning, operands);
  REQUIRE(out.ok());
  return test::lane_of(*out, 0);
}

std::vector<double> computed(const Meaning& meaning, const Shape& shape,
                             const std::vector<double>& values) {
  const auto x = test::of_lanes<double>(shape, {values});
  const std::vector<const LaneTensor<double>*> operands = {&x};
  return test::lane_of(
      *RealEvaluator<double>(Signs::Signed, Functions::Computed, 1).evaluate(meaning, operands), 0);
}

TEST_CASE("A padded max pool takes the largest element that is there, holes apart") {
  const auto pool = meaning_of(
      ops::max_pool(), {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}}, {{1, 1, 3, 4}});
  const std::vector<double> x = {-9, -8, -7, -6, -5, -4, -3, -2, -12, -11, -10, -1};
  std::vector<double> expected;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      double most = -1e9;
      for (int a = std::max(0, i - 1); a <= std::min(2, i + 1); ++a) {
        for (int b = std::max(0, j - 1); b <= std::min(3, j + 1); ++b)
          most = std::max(most, x[static_cast<std::size_t>(a * 4 + b)]);
      }
      expected.push_back(most);
    }
  }
  CHECK(computed(pool, {1, 1, 3, 4}, x) == expected);
}

TEST_CASE("A hole is no zero") {
  const auto padded =
      meaning_of(ops::max_pool(), {{"kernel_shape", Ints{2}}, {"pads", Ints{1, 0}}}, {{1, 1, 2}});
  const auto bare = meaning_of(ops::max_pool(), {{"kernel_shape", Ints{2}}}, {{1, 1, 3}});
  const auto with_hole = hashed(padded, {1, 1, 2}, {5, 6});
  const auto with_zero = hashed(bare, {1, 1, 3}, {0, 5, 6});
  CHECK(with_hole[0] != with_zero[0]);
  CHECK(with_hole[1] == with_zero[1]);
}

TEST_CASE("The number of holes counts") {
  const auto one =
      meaning_of(ops::max_pool(), {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 0}}}, {{1, 1, 2}});
  const auto two =
      meaning_of(ops::max_pool(), {{"kernel_shape", Ints{3}}, {"pads", Ints{2, 0}}}, {{1, 1, 1}});
  const auto none = meaning_of(ops::max_pool(), {{"kernel_shape", Ints{2}}}, {{1, 1, 2}});
  CHECK(hashed(one, {1, 1, 2}, {5, 5})[0] != hashed(two, {1, 1, 1}, {5})[0]);
  CHECK(hashed(one, {1, 1, 2}, {5, 5})[0] != hashed(none, {1, 1, 2}, {5, 5})[0]);
}

TEST_CASE("A multiset does not change with the order of its elements, a sequence does") {
  auto pool = meaning_of(ops::max_pool(), {{"kernel_shape", Ints{2, 2}}}, {{1, 1, 2, 2}});
  const Shape x = {1, 1, 2, 2};
  CHECK(hashed(pool, x, {1, 2, 3, 4}) == hashed(pool, x, {4, 2, 1, 3}));
  CHECK(hashed(pool, x, {1, 2, 2, 4}) != hashed(pool, x, {1, 2, 4, 4}));
  CHECK(hashed(pool, x, {1, 2, 3, 4}) != hashed(pool, x, {1, 2, 3, 5}));
  pool.applications[0].window->symmetry = Symmetry::Ordered;
  CHECK(hashed(pool, x, {1, 2, 3, 4}) != hashed(pool, x, {4, 2, 1, 3}));
}

TEST_CASE("An element of a softmax depends on itself and on its row, wherever it stands") {
  const auto softmax = meaning_of(ops::softmax(), {{"axis", std::int64_t{1}}}, {{2, 3}});
  const auto rows = hashed(softmax, {2, 3}, {1, 2, 3, 3, 1, 2});
  CHECK(rows[0] == rows[4]);
  CHECK(rows[1] == rows[5]);
  CHECK(rows[2] == rows[3]);
  CHECK(rows[0] != rows[1]);
  CHECK(hashed(softmax, {2, 3}, {1, 2, 4, 3, 1, 2})[0] != rows[0]);
}

TEST_CASE("The rows of a softmax share one window each") {
  const auto softmax = meaning_of(ops::softmax(), {{"axis", std::int64_t{1}}}, {{2, 3, 4}});
  const WindowCode code = compile_window(softmax.applications[0], {2, 3, 4});
  CHECK(code.distinct == Shape{2, 1, 4});
  const WindowPlan plan = plan_windows(code, softmax.applications[0].out);
  CHECK(plan.windows == 8);
  CHECK(plan.width == 3);
  CHECK(plan.of_output[0] == plan.of_output[4]);
  CHECK(plan.of_output[0] != plan.of_output[1]);
}

TEST_CASE("Parameters of a function are part of it") {
  const auto with = [](double alpha) {
    return meaning_of(ops::leaky_relu(), {{"alpha", alpha}}, {{2}});
  };
  CHECK(hashed(with(0.1), {2}, {1, 2}) == hashed(with(0.1), {2}, {1, 2}));
  CHECK(hashed(with(0.1), {2}, {1, 2}) != hashed(with(0.2), {2}, {1, 2}));
}

TEST_CASE("Windows of many axes have more loops than a tensor has axes") {
  const Shape x(9, 2);
  const auto norm = meaning_of(ops::layer_normalization(), {{"axis", std::int64_t{0}}}, {x, x});
  CHECK(compile_window(norm.applications[0], x).width == 512);
}

TEST_CASE("A window that no memory holds is refused by the builder") {
  GraphBuilder builder;
  const Dim large = Dim{1} << 21;
  const NodeId x = builder.add_input("x", float_tensor({1, 1, large}));
  const auto pool = builder.add(ops::max_pool(), {{"kernel_shape", Ints{large / 2}}}, {x});
  REQUIRE_FALSE(pool.ok());
  CHECK(pool.error().kind == ErrorKind::Unsupported);
  CHECK(builder.add(ops::max_pool(), {{"kernel_shape", Ints{2}}}, {x}).ok());
}

}  // namespace
}  // namespace pet
