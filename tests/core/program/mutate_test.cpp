#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/correct/recompute.h"
#include "core/program/mutate/exchange.h"
#include "tests/support/seeded.h"
#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::mutation;

namespace {

// A 3x3 "same" convolution; its weight is an input, and so a free variable.
Graph conv(Shape x, Dim filters, Attrs attrs) {
  GraphBuilder b;
  const NodeId in = b.add_input("in0", float_tensor(x));
  const NodeId w = b.add_input("in1", float_tensor({filters, x[1], 3, 3}));
  b.add_output(*b.add(ops::conv(), std::move(attrs), {in, w}));
  return std::move(b).build();
}

struct Tried {
  std::string how;
  Graph program;
  Verdict verdict;
};

// Those that one move leads to.
std::vector<Tried> all_mutants(const Graph& program) {
  std::vector<Tried> out;
  BitmapChecker checker;
  MutantGenerator generator(program, {.moves = 1});
  while (auto mutant = generator.next()) {
    Verdict verdict = checker.check(program, mutant->program, {});
    out.push_back({in_words(mutant->moves), std::move(mutant->program), std::move(verdict)});
  }
  return out;
}

const Tried& named(const std::vector<Tried>& all, const std::string& how) {
  for (const Tried& t : all) {
    if (t.how == how) return t;
  }
  FAIL("no mutant is called " << how);
  return all.front();
}

}  // namespace

TEST_CASE(
    "Two images joined along the width are wrong at the seam alone, and two recomputed boxes "
    "repair it") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = 2 * rng.between(3, 8);
  const Graph program = conv({2, 3, size, size}, 4, {{"pads", Ints{1, 1, 1, 1}}});
  const auto mutants = all_mutants(program);
  for (const char* how : {"join 2 of axis 0 along axis 2", "join 2 of axis 0 along axis 3"}) {
    const Tried& joined = named(mutants, how);
    REQUIRE(joined.verdict.outcome == Outcome::Partial);
    const OutputVerdict& out = joined.verdict.outputs[0];
    CHECK(out.different * size == out.elements);
    CHECK(out.wrong.boxes.size() == 2);
    const auto corrected = recompute(program, joined.program, out.wrong);
    REQUIRE(corrected.ok());
    CHECK(BitmapChecker().check(program, *corrected, {}).outcome == Outcome::Equivalent);
  }
  for (const char* how : {"cut axis 2 in 2", "cut axis 3 in 2"}) {
    const Tried& cut = named(mutants, how);
    REQUIRE(cut.verdict.outcome == Outcome::Partial);
    const OutputVerdict& out = cut.verdict.outputs[0];
    CHECK(out.different * size == 2 * out.elements);
    const auto corrected = recompute(program, cut.program, out.wrong);
    INFO((corrected ? "" : corrected.error().message));
    REQUIRE(corrected.ok());
    CHECK(BitmapChecker().check(program, *corrected, {}).outcome == Outcome::Equivalent);
  }
}

TEST_CASE("A halo makes joined and cut images exact") {
  const auto mutants = all_mutants(conv({2, 3, 8, 8}, 4, {{"pads", Ints{1, 1, 1, 1}}}));
  for (const char* how :
       {"join 2 of axis 0 along axis 2 with a halo", "join 2 of axis 0 along axis 3 with a halo",
        "cut axis 2 in 2 with a halo", "cut axis 3 in 2 with a halo"}) {
    CHECK(named(mutants, how).verdict.outcome == Outcome::Equivalent);
  }
}

TEST_CASE("A strided convolution is joined, corrected and given a halo") {
  const Graph program =
      conv({2, 3, 8, 8}, 4, {{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 2}}});
  const auto mutants = all_mutants(program);
  const Tried& joined = named(mutants, "join 2 of axis 0 along axis 3");
  REQUIRE(joined.verdict.outcome == Outcome::Partial);
  CHECK(joined.verdict.outputs[0].different == 4 * 4);  // the second image's first column only
  const auto corrected = recompute(program, joined.program, joined.verdict.outputs[0].wrong);
  REQUIRE(corrected.ok());
  CHECK(BitmapChecker().check(program, *corrected, {}).outcome == Outcome::Equivalent);
  CHECK(named(mutants, "join 2 of axis 0 along axis 3 with a halo").verdict.outcome ==
        Outcome::Equivalent);
}

TEST_CASE("A linear pool and a 1x1 convolution are exchanged, whatever they are called") {
  GraphBuilder b;
  const NodeId x = b.add_input("in0", float_tensor({1, 6, 8, 8}));
  const NodeId w = b.add_input("in1", float_tensor({3, 6, 1, 1}));
  const NodeId c = *b.add(ops::conv(), {}, {x, w});
  b.add_output(
      *b.add(ops::average_pool(), {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}}, {c}));
  const auto mutants = all_mutants(std::move(b).build());
  CHECK(named(mutants, "exchange Conv and AveragePool").verdict.outcome == Outcome::Equivalent);
}

TEST_CASE("Two operators that do the same work in either order are not exchanged") {
  const auto added = [](const Shape& first, const Shape& second) {
    GraphBuilder b;
    const NodeId x = b.add_input("in0", float_tensor({2, 6, 8}));
    const NodeId sum = *b.add(ops::add(), {}, {x, b.add_input("in1", float_tensor(first))});
    b.add_output(*b.add(ops::add(), {}, {sum, b.add_input("in2", float_tensor(second))}));
    return exchanges(std::move(b).build()).size();
  };
  // Of the inputs either one may be added later; those added to x in exchanged order are alike.
  CHECK(added({2, 6, 8}, {2, 6, 8}) < added({2, 6, 8}, {6, 1}));
}

TEST_CASE("Behind a normalisation the convolution's mutants are found with folded weights") {
  test::Sketch s;
  const NodeId x = s.input("in0", {2, 4, 6, 6});
  const NodeId c =
      s.op("Conv", {{"pads", Ints{1, 1, 1, 1}}}, {x, s.ramp({4, 4, 3, 3}, 0.125f), s.ramp({4})});
  const NodeId variance = s.ramp({4}, 0.5f);
  const NodeId norm =
      s.op("BatchNormalization", {c, s.ramp({4}, 0.25f), s.ramp({4}, 2), s.ramp({4}, 3), variance});
  const Graph program = std::move(s).finish({norm});
  const auto mutants = all_mutants(program);
  CHECK(named(mutants, "fold the normalisation").verdict.outcome == Outcome::Equivalent);
  CHECK(named(mutants, "fold the normalisation, join 2 of axis 0 along axis 3 with a halo")
            .verdict.outcome == Outcome::Equivalent);
  CHECK(named(mutants, "fold the normalisation, join 2 of axis 0 along axis 3").verdict.outcome ==
        Outcome::Partial);
  const auto is_fast = [](const Tried& tried) {
    return tried.how.find("fast convolution") != std::string::npos &&
           tried.verdict.outcome == Outcome::Equivalent;
  };
  CHECK(std::any_of(mutants.begin(), mutants.end(), is_fast));
}
