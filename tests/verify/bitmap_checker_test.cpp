// The bitmap engine. Over 400 lines: each kind of thing that it must refuse has programs of its
// own.
#include "verify/pairs/bitmap_checker.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/sketch.h"
#include "tests/support/weights.h"

using namespace pet;

namespace {

std::shared_ptr<const Tensor> weights(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  return test::normal_constant(shape, rng);
}

const Attrs kPool{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};

Graph conv_then_pool(bool exchanged, const Attrs& pool, std::shared_ptr<const Tensor> w,
                     bool relu) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 8, 8, 8}));
  const NodeId k = b.add_constant(std::move(w));
  const NodeId r = relu ? *b.add(ops::relu(), {}, {x}) : x;
  const NodeId first =
      exchanged ? *b.add(ops::average_pool(), pool, {r}) : *b.add(ops::conv(), {}, {r, k});
  const NodeId second =
      exchanged ? *b.add(ops::conv(), {}, {first, k}) : *b.add(ops::average_pool(), pool, {first});
  b.add_output(*b.add(ops::relu(), {}, {second}));
  return std::move(b).build();
}

}  // namespace

TEST_CASE("A pool and a 1x1 convolution may be exchanged") {
  const auto w = weights({4, 8, 1, 1}, 1);
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, w, true),
                                  conv_then_pool(true, kPool, w, true), {});
  CHECK(v.outcome == Outcome::Equivalent);
  CHECK(v.log2_error <= -64);
  CHECK(v.log2_error > -1000);
  CHECK(v.growth == 1);
}

TEST_CASE("Identical programs are equal without any probability") {
  const auto w = weights({4, 8, 1, 1}, 1);
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, w, true),
                                  conv_then_pool(false, kPool, w, true), {});
  CHECK(v.outcome == Outcome::Equivalent);
  CHECK(std::isinf(v.log2_error));
}

TEST_CASE("Another weight is found to differ everywhere") {
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, weights({4, 8, 1, 1}, 1), false),
                                  conv_then_pool(true, kPool, weights({4, 8, 1, 1}, 2), false), {});
  CHECK(v.outcome != Outcome::Equivalent);
  CHECK(v.outputs[0].equal == 0);
  CHECK(v.outputs[0].witness.has_value());
}

TEST_CASE(
    "A pool that leaves padding out of the divisor differs from one that counts it, at the "
    "border") {
  GraphBuilder a;
  GraphBuilder b;
  Attrs pool{{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}};
  a.add_output(*a.add(ops::average_pool(), pool, {a.add_input("x", float_tensor({1, 2, 6, 6}))}));
  pool.set("count_include_pad", std::int64_t{1});
  b.add_output(*b.add(ops::average_pool(), pool, {b.add_input("x", float_tensor({1, 2, 6, 6}))}));
  BitmapChecker checker;
  const Verdict v = checker.check(std::move(a).build(), std::move(b).build(), {});
  CHECK(v.outcome == Outcome::Partial);
  CHECK(v.outputs[0].equal == 2 * 16);
  CHECK(v.outputs[0].different == 2 * 20);
  CHECK(v.outputs[0].wrong.volume() == 40);
  CHECK(v.outputs[0].wrong.boxes.size() <= 4);
}

namespace {

template <class Fill>
Graph of_x(Fill&& fill) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  b.add_output(fill(b, x));
  return std::move(b).build();
}

// (x + c) - c
NodeId there_and_back(GraphBuilder& b, NodeId x, NodeId c) {
  return *b.add(ops::sub(), {}, {*b.add(ops::add(), {}, {x, c}), c});
}

Verdict check(const Graph& a, const Graph& b) { return BitmapChecker().check(a, b, {}); }

}  // namespace

TEST_CASE("Rounding decides nothing, not even where an output is an input itself") {
  const Graph input = of_x([](GraphBuilder&, NodeId x) { return x; });
  const auto through = [](float c) {
    return of_x([c](GraphBuilder& b, NodeId x) { return there_and_back(b, x, b.add_scalar(c)); });
  };
  CHECK(check(input, through(3e38F)).outcome == Outcome::Unknown);
  const Verdict mild = check(input, through(2));
  CHECK(mild.outcome == Outcome::Equivalent);
  CHECK(std::isfinite(mild.log2_error));
  CHECK(mild.growth == Approx(5));
}

TEST_CASE("Rounding must not decide what a function reads, either") {
  const auto relu_of = [](bool through) {
    return of_x([through](GraphBuilder& b, NodeId x) {
      const NodeId read = through ? there_and_back(b, x, b.add_scalar(1e9F)) : x;
      return *b.add(ops::relu(), {}, {read});
    });
  };
  const Verdict verdict = check(relu_of(false), relu_of(true));
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.starts_with(
      "ill-conditioned: sums"));  // sizes tell it, not drawn errors alone
}

namespace {

// (x·w − x·w)·v, or x·w·v − x·w·v
Graph huge_sums_that_cancel(bool cancelled_first) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({4}));
  const NodeId w = b.add_constant(test::float_constant({4}, {1e30F, 2e30F, 3e30F, 4e30F}));
  const NodeId v = b.add_constant(test::float_constant({4}, {5e30F, 6e30F, 7e30F, 8e30F}));
  const NodeId p = *b.add(ops::mul(), {}, {x, w});
  const auto cancelled = [&](NodeId value) { return *b.add(ops::sub(), {}, {value, value}); };
  const auto times = [&](NodeId value) { return *b.add(ops::mul(), {}, {value, v}); };
  b.add_output(cancelled_first ? times(cancelled(p)) : cancelled(times(p)));
  return std::move(b).build();
}

// Scores where the mask is 1, the lowest float where it is 0; or the same with the axes exchanged.
Graph masked(bool transposed) {
  GraphBuilder b;
  NodeId scores = b.add_input("scores", float_tensor({3, 5}));
  NodeId mask = b.add_input("mask", float_tensor({3, 5}));
  const auto turn = [&](NodeId& value) {
    if (transposed) value = *b.add(ops::transpose(), {{"perm", Ints{1, 0}}}, {value});
  };
  turn(scores);
  turn(mask);
  const NodeId off = *b.add(ops::sub(), {}, {b.add_scalar(1), mask});
  const NodeId low =
      *b.add(ops::mul(), {}, {off, b.add_scalar(std::numeric_limits<float>::lowest())});
  NodeId sum = *b.add(ops::add(), {}, {scores, low});
  turn(sum);
  b.add_output(*b.add(ops::softmax(), {}, {sum}));
  return std::move(b).build();
}

}  // namespace

TEST_CASE(
    "What overflows on inputs is not equal because the original's sums are beyond floats too") {
  BitmapChecker checker;
  const Verdict v = checker.check(huge_sums_that_cancel(true), huge_sums_that_cancel(false), {});
  CHECK(v.outcome == Outcome::Unknown);
  CHECK(v.reason.find("beyond the range of floats") != std::string::npos);
}

TEST_CASE("Masks of the lowest float are no reason to doubt") {
  BitmapChecker checker;
  CHECK(checker.check(masked(false), masked(true), {}).outcome == Outcome::Equivalent);
}

TEST_CASE("An infinite constant is no symbol that cancels, wherever it has been moved to") {
  const auto through = [](bool moved) {
    return of_x([moved](GraphBuilder& b, NodeId x) {
      const auto infinite =
          test::float_constant({1, 3}, {std::numeric_limits<float>::infinity(), 1, 2});
      NodeId c = b.add_constant(infinite);
      if (moved) c = *b.add(ops::reshape(), Attrs{{"shape", Ints{3}}}, {c});
      return there_and_back(b, x, c);
    });
  };
  const Graph input = of_x([](GraphBuilder&, NodeId x) { return x; });
  for (const bool moved : {false, true})
    CHECK(check(input, through(moved)).outcome == Outcome::Unknown);
}

TEST_CASE("Longer coefficients and higher degrees cost more primes, never more error") {
  const auto scaled = [](std::vector<float> scales) {
    return of_x([&](GraphBuilder& b, NodeId x) {
      for (const float scale : scales) x = *b.add(ops::mul(), {}, {x, b.add_scalar(scale)});
      return *b.add(ops::relu(), {}, {x});
    });
  };
  const auto power = [](int squarings) {
    return of_x([&](GraphBuilder& b, NodeId x) {
      for (int i = 0; i < squarings; ++i) x = *b.add(ops::mul(), {}, {x, x});
      return *b.add(ops::relu(), {}, {x});
    });
  };
  std::vector<float> many(40, 16777213.0F);
  many[0] = 3;
  std::vector<float> turned(many.rbegin(), many.rend());
  const Verdict few = check(scaled({3, 5}), scaled({5, 3}));
  const Verdict long_ones = check(scaled(many), scaled(turned));
  CHECK(few.outcome == Outcome::Equivalent);
  CHECK(long_ones.outcome == Outcome::Equivalent);
  CHECK(few.log2_error <= -64);
  CHECK(long_ones.log2_error <= -64);
  CHECK(long_ones.log2_error + 1 >
        few.log2_error - 32 * static_cast<double>(long_ones.primes - few.primes));
  CHECK(check(power(20), power(21)).primes > few.primes);
  CHECK(check(power(40), power(41)).outcome == Outcome::Unknown);  // a degree beyond the primes
}

// 32,768 elements: among so many two digests of 128 bits are equal with a chance of 2^-98.
TEST_CASE("An error below what one comparison allows is met by several of their own") {
  const Shape shape = {8, 64, 64};
  const auto program = [&](bool turned, bool shifted) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", {DType::Float, shape});
    const NodeId y = b.add_input("y", {DType::Float, shape});
    const auto relu = [&](NodeId of) { return *b.add(ops::relu(), {}, {of}); };
    NodeId sum = *b.add(ops::add(), {},
                        turned ? std::vector{relu(y), relu(x)} : std::vector{relu(x), relu(y)});
    if (shifted) {  // the first of eight has something added
      const NodeId first = *b.add(
          ops::slice(), Attrs{{"axes", Ints{0}}, {"starts", Ints{0}}, {"ends", Ints{1}}}, {sum});
      const NodeId rest = *b.add(
          ops::slice(), Attrs{{"axes", Ints{0}}, {"starts", Ints{1}}, {"ends", Ints{8}}}, {sum});
      const NodeId more = *b.add(ops::add(), {}, {first, b.add_scalar(1)});
      sum = *b.add(ops::concat(), Attrs{{"axis", std::int64_t{0}}}, {more, rest});
    }
    b.add_output(sum);
    return std::move(b).build();
  };
  ProofOptions options;
  options.proof_seed = "seed";
  options.record_test = true;
  const auto at = [&](double log2_error, bool shifted) {
    options.log2_error = log2_error;
    return BitmapChecker().check(program(false, false), program(true, shifted), options);
  };
  const Verdict usual = at(-64, false);
  const Verdict strong = at(-100, false);
  const Verdict stronger = at(-250, false);
  for (const Verdict* verdict : {&usual, &strong, &stronger}) {
    CAPTURE(verdict->reason);
    CHECK(verdict->outcome == Outcome::Equivalent);
    // What is written down is the first of them.
    REQUIRE(verdict->test);
    CHECK(verdict->test->log2_error <= -64);
    CHECK(verdict->test->log2_error >= verdict->log2_error);
  }
  CHECK(strong.log2_error <= -100);
  CHECK(strong.primes == 2 * strong.test->primes.size());
  CHECK(stronger.log2_error <= -250);
  const Verdict partial = at(-100, true);
  REQUIRE(partial.outcome == Outcome::Partial);
  CHECK(partial.outputs[0].equal == 7 * 64 * 64);
  CHECK(partial.outputs[0].wrong.volume() == 64 * 64);
  CHECK(at(-100000, false).outcome == Outcome::Unknown);
}

TEST_CASE("A certified text is bound to the test, of identical programs too") {
  const auto sum = [](bool swapped) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({3}));
    const NodeId y = b.add_input("y", float_tensor({3}));
    b.add_output(*b.add(ops::add(), {}, {swapped ? y : x, swapped ? x : y}));
    return std::move(b).build();
  };
  ProofOptions options;
  options.proof_seed = "seed";
  options.record_test = true;
  const auto test = [&](bool swapped, const char* text) {
    if (text) options.certified_text = std::make_shared<const std::string>(text);
    const Verdict verdict = BitmapChecker().check(sum(false), sum(swapped), options);
    CHECK(verdict.outcome == Outcome::Equivalent);
    return verdict.test;
  };
  CHECK(!test(false, nullptr));
  const auto plain = test(true, nullptr);
  const auto first = test(true, "first");
  const auto second = test(true, "second");
  REQUIRE((plain && first && second && test(false, "first")));
  CHECK(plain->seed == first->seed);
  CHECK(plain->primes != first->primes);
  CHECK(first->primes != second->primes);
  CHECK(first->ends[0]->first != second->ends[0]->first);
}

TEST_CASE("Another epsilon, another function: parameters are hashed, geometry is not") {
  const auto leaky = [](double alpha) {
    return of_x([alpha](GraphBuilder& b, NodeId x) {
      return *b.add(ops::leaky_relu(), Attrs{{"alpha", alpha}}, {x});
    });
  };
  CHECK(check(leaky(0.01), leaky(0.01)).outcome == Outcome::Equivalent);
  CHECK(check(leaky(0.01), leaky(0.02)).outcome == Outcome::Different);
}

TEST_CASE("Values behind inputs of unknown shape are compared by what computes them") {
  const auto program = [](std::string_view content) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", {DType::Float, std::nullopt});
    b.add_output(
        b.add_opaque("thing", digest_of("test", content), {x}, {DType::Undefined, std::nullopt}));
    return std::move(b).build();
  };
  CHECK(check(program("a"), program("a")).outcome == Outcome::Equivalent);
  CHECK(check(program("a"), program("b")).outcome == Outcome::Unknown);
}

TEST_CASE("Nothing is known of what follows an operator without a meaning, and that is said") {
  const auto program = [](bool fused) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({4}));
    b.add_output(fused ? b.add_opaque("com.other::Fused", digest_of("test", "fused"), {x},
                                      {DType::Undefined, std::nullopt}, "y")
                       : *b.add(ops::relu(), {}, {x}));
    return std::move(b).build();
  };
  const Verdict verdict = check(program(false), program(true));
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.outputs[0].undecided == 4);
  CHECK(verdict.reason.starts_with("'y' is computed by com.other::Fused, which has no meaning"));
  CHECK(check(program(true), program(false)).outputs[0].outcome == Outcome::Unknown);
}

TEST_CASE("A root that another output has alone is not to be read behind what it leaves equal") {
  // y = relu(u), or relu(u + sqrt(z) - sqrt(z)), which is no number where z is below 0.
  const auto roots = [](bool read) {
    GraphBuilder b;
    const NodeId z = b.add_input("z", float_tensor({3}));
    const NodeId u = b.add_input("u", float_tensor({3}));
    const NodeId root = *b.add(ops::sqrt(), {}, {z});
    b.add_output(root);
    const NodeId nothing = *b.add(ops::sub(), {}, {root, root});
    const NodeId argument = read ? *b.add(ops::add(), {}, {u, nothing}) : u;
    b.add_output(*b.add(ops::relu(), {}, {argument}));
    return std::move(b).build();
  };
  CHECK(BitmapChecker().check(roots(false), roots(true), {}).reason.starts_with("domain"));
  CHECK(BitmapChecker().check(roots(true), roots(false), {}).outcome == Outcome::Equivalent);
}

TEST_CASE("A root that a slice leaves out is not to be read, though no drawn input shows it") {
  // y = sqrt(x + 100000)[0], or that and nothing of sqrt(x + 100000)[1], which is no number below.
  const auto roots = [](bool read) {
    test::Sketch s;
    const NodeId root = s.op("Sqrt", {s.op("Add", {s.input("x", {2}), s.scalar(1e5F)})});
    const NodeId first = s.slice(root, 0, 0, 1);
    const NodeId second = s.slice(root, 0, 1, 2);
    const NodeId y = read ? s.op("Add", {first, s.op("Sub", {second, second})}) : first;
    return std::move(s).finish({y});
  };
  for (const char* seed : {"1", "2", "3"}) {
    ProofOptions options;
    options.proof_seed = seed;
    CHECK(BitmapChecker().check(roots(false), roots(true), options).outcome == Outcome::Unknown);
  }
}

TEST_CASE("Two maxima that are often the same are found to differ with every seed") {
  const auto original = [] {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({1, 1, 6}));
    const Attrs windows{{"kernel_shape", Ints{2}}, {"strides", Ints{3}}};
    b.add_output(*b.add(ops::max_pool(), windows, {x}));
    return std::move(b).build();
  };
  const auto mutant = [] {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({1, 1, 6}));
    const Attrs all{{"kernel_shape", Ints{2}}};
    const NodeId pooled = *b.add(ops::max_pool(), all, {x});
    const Attrs part{{"starts", Ints{0}}, {"ends", Ints{4}}, {"axes", Ints{2}}, {"steps", Ints{2}}};
    b.add_output(*b.add(ops::slice(), part, {pooled}));
    return std::move(b).build();
  };
  for (int seed = 0; seed < 40; ++seed) {
    ProofOptions options;
    options.proof_seed = std::to_string(seed);
    const Verdict verdict = BitmapChecker().check(original(), mutant(), options);
    CHECK(verdict.outcome == Outcome::Partial);
  }
}

TEST_CASE("A proof seed that was given repeats the proof and says so") {
  const auto w = weights({4, 8, 1, 1}, 1);
  const Graph a = conv_then_pool(false, kPool, w, true);
  const Graph b = conv_then_pool(true, kPool, w, true);
  const Verdict fresh = check(a, b);
  CHECK_FALSE(fresh.reproduced);
  CHECK(fresh.proof_seed != check(a, b).proof_seed);
  ProofOptions options;
  options.proof_seed = fresh.proof_seed;
  CHECK(BitmapChecker().check(a, b, options).reproduced);
}

// The certificate checker computes with none longer either: a chain of scalings by 2^-40 and back,
// each factor of which is a denominator of 40 bits.
TEST_CASE("Denominators of more than 2^16 bits are not computed with") {
  const auto scaled = [](int times, bool constant_first) {
    GraphBuilder b;
    NodeId out = b.add_input("x", float_tensor({2}));
    for (int i = 0; i < times; ++i) {
      for (const float factor : {0x1p-40F, 0x1p40F}) {
        const NodeId c = b.add_scalar(factor);
        out = *b.add(ops::mul(), {}, constant_first ? std::vector{c, out} : std::vector{out, c});
      }
    }
    b.add_output(out);
    return std::move(b).build();
  };
  BitmapChecker checker;
  CHECK(checker.check(scaled(1600, false), scaled(1600, true), {}).outcome == Outcome::Equivalent);
  const Verdict verdict = checker.check(scaled(1700, false), scaled(1700, true), {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason == "coefficients with denominators too long to compute with");
}
