#include "core/program/thin_check.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/mutate/generator.h"
#include "core/program/views.h"
#include "tests/support/seeded.h"
#include "tests/support/weights.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet {
namespace {

const Attrs kPadded{{"pads", Ints{1, 1, 1, 1}}};

std::shared_ptr<const Tensor> weights() {
  std::vector<float> values;
  for (int i = 0; i < 8 * 4 * 3 * 3; ++i) values.push_back(static_cast<float>(i + 1));
  return test::float_constant({8, 4, 3, 3}, std::move(values));
}

NodeId add_convolution(GraphBuilder& b) {
  const NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  return *b.add(ops::conv(), kPadded, {x, b.add_constant(weights())});
}

Graph convolution() {
  GraphBuilder b;
  b.add_output(add_convolution(b));
  return std::move(b).build();
}

// The last channel is a copy of the one before it.
Graph wrong_in_one_channel() {
  GraphBuilder b;
  const NodeId y = add_convolution(b);
  const auto first = views::slice(b, y, 1, 0, 7);
  const auto last = views::slice(b, y, 1, 6, 1);
  b.add_output(*views::concat(b, std::vector{*first, *last}, 1));
  return std::move(b).build();
}

// The images of the batch one above the other: wrong at the seam and nowhere else.
Graph joined_convolution() {
  GraphBuilder b;
  NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  x = *b.add(ops::transpose(), {{"perm", Ints{1, 0, 2, 3}}}, {x});
  x = *b.add(ops::reshape(), {{"shape", Ints{1, 4, 16, 8}}}, {x});
  x = *b.add(ops::conv(), kPadded, {x, b.add_constant(weights())});
  x = *b.add(ops::reshape(), {{"shape", Ints{8, 2, 8, 8}}}, {x});
  b.add_output(*b.add(ops::transpose(), {{"perm", Ints{1, 0, 2, 3}}}, {x}));
  return std::move(b).build();
}

Result<Region> difference(const Graph& original, const Graph& mutant, std::uint64_t seed = 1) {
  return thin_difference(original, mutant, seed, {});
}

TEST_CASE("A seam is found in all channels though one of each position is looked at") {
  const auto wrong = difference(convolution(), joined_convolution());
  REQUIRE(wrong.ok());
  CHECK(to_string(*wrong) == "[0,1)x[0,8)x[7,8)x[0,8) [1,2)x[0,8)x[0,1)x[0,8)");
}

TEST_CASE("A program does not differ from itself") {
  const Graph program = convolution();
  const auto same = difference(program, program);
  REQUIRE(same.ok());
  CHECK(same->empty());
}

TEST_CASE("A mutant that is wrong in one channel alone is not found equal") {
  const Graph program = convolution();
  const Graph mutant = wrong_in_one_channel();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto wrong = difference(program, mutant, seed);
    CHECK((!wrong.ok() || !wrong->empty()));
  }
}

TEST_CASE("What no weight carries is not looked at thinly") {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  b.add_output(*b.add(ops::average_pool(), {{"kernel_shape", Ints{2, 2}}}, {x}));
  const Graph pool = std::move(b).build();
  const auto wrong = difference(pool, pool);
  REQUIRE(!wrong.ok());
  CHECK(wrong.error().kind == ErrorKind::Unsupported);
}

TEST_CASE("Of no channels none is drawn") {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  const NodeId w = b.add_input("w", float_tensor({3, 0}));
  b.add_output(*b.add(ops::mat_mul(), {}, {x, w}));
  const Graph empty = std::move(b).build();
  CHECK(!difference(empty, empty).ok());
}

TEST_CASE("A stopped look says nothing") {
  const Graph program = convolution();
  std::stop_source source;
  source.request_stop();
  const auto wrong = thin_difference(program, program, 1, source.get_token());
  REQUIRE(!wrong.ok());
  CHECK(wrong.error().kind == ErrorKind::Stopped);
}

// The second opinion is the check of every position.
TEST_CASE("Mutants of random convolutions are found wrong where they are") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  BitmapChecker checker;
  std::size_t partial = 0;
  // More programs where few of the drawn ones have mutants that are right in part.
  for (int i = 0; i < 12 || (partial <= 10 && i < 120); ++i) {
    const Dim groups = rng.between(1, 2);
    const Shape weight = {groups * rng.between(1, 3), rng.between(1, 3), 3, rng.between(1, 3)};
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({rng.between(1, 4), groups * weight[1],
                                                    rng.between(4, 8), rng.between(4, 8)}));
    const Attrs attrs{
        {"group", groups}, {"pads", Ints{1, 1, 1, 1}}, {"dilations", Ints{rng.between(1, 2), 1}}};
    const auto y = b.add(ops::conv(), attrs, {x, test::normal_weight(b, weight, rng)});
    if (!y) continue;
    b.add_output(*y);
    const Graph program = std::move(b).build();
    MutantGenerator generator(program, {.max_steps = 25, .seed = rng.next(), .positions = 8});
    while (auto mutant = generator.next()) {
      const auto wrong = difference(program, mutant->program, rng.next());
      if (!wrong) continue;
      const Verdict verdict = checker.check(program, mutant->program, {});
      INFO(to_string(program) << in_words(mutant->moves) << '\n' << to_string(mutant->program));
      CHECK(wrong->points() == verdict.outputs[0].wrong.points());
      partial += verdict.outcome == Outcome::Partial ? 1 : 0;
    }
  }
  CHECK(partial > 10);
}

}  // namespace
}  // namespace pet
