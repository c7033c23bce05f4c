// Places: what is shown by them, and each trap that a proof of pieces walks into. Over 400 lines: a
// trap after the other, each with the programs that walk into it.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/places/objections.h"
#include "verify/places/prove.h"
#include "verify/places/reads.h"
#include "verify/places/tame.h"
#include "verify/places/views.h"

using namespace pet;
using test::Sketch;

namespace {

const Attrs kPool{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};

bool is_shown(const Graph& original, const Graph& mutant) {
  const auto answer = places::prove(original, mutant, {});
  return answer.verdict && answer.verdict->outcome == Outcome::Equivalent;
}

std::string why_not(const Graph& original, const Graph& mutant) {
  return places::prove(original, mutant, {}).report.whole;
}

// Stage after stage of a 1x1 convolution, a pool and a Relu, exchanged where it is said.
Graph stages(const std::vector<char>& exchanged, float first_weight = 1) {
  Sketch s;
  NodeId x = s.input("x", {1, 4, 16, 16});
  for (std::size_t i = 0; i < exchanged.size(); ++i) {
    std::vector<float> weights(16);
    for (std::size_t k = 0; k < weights.size(); ++k)
      weights[k] = 0.1F * static_cast<float>(k + 1) * static_cast<float>(i % 2 == 0 ? 1 : -1);
    if (i + 1 == exchanged.size()) weights[0] *= first_weight;
    const NodeId w = s.constant({4, 4, 1, 1}, std::move(weights));
    if (exchanged[i] != 0) {
      x = s.op("Conv", {s.op("AveragePool", kPool, {x}), w});
    } else {
      x = s.op("AveragePool", kPool, {s.op("Conv", {x, w})});
    }
    x = s.op("Relu", {x});
  }
  return std::move(s).finish({x});
}

}  // namespace

TEST_CASE("What changed is shown where it changed and nothing else is looked at") {
  const auto answer = places::prove(stages({0, 0, 0}), stages({1, 0, 1}), {});
  REQUIRE(answer.verdict);
  CHECK(answer.verdict->outcome == Outcome::Equivalent);
  CHECK(std::isinf(answer.verdict->log2_error));
  REQUIRE(answer.report.places.size() == 2);
  for (const PlaceReport& place : answer.report.places) {
    CHECK(place.shown_by == "region");
    CHECK(place.operators == std::vector<std::string>{"Conv", "AveragePool"});
    CHECK(place.replaced_by == std::vector<std::string>{"AveragePool", "Conv"});
  }
  CHECK(answer.report.shared == 5);
  CHECK(answer.report.whole.empty());
}

TEST_CASE("Identical programs have no places") {
  const auto answer = places::prove(stages({0, 1}), stages({0, 1}), {});
  REQUIRE(answer.verdict);
  CHECK(answer.report.places.empty());
  CHECK(std::isinf(answer.verdict->log2_error));
}

TEST_CASE("The first place that is not equal is named with a witness there") {
  const auto answer = places::prove(stages({0, 0}), stages({1, 1}, 2), {});
  CHECK_FALSE(answer.verdict);
  REQUIRE(answer.report.places.size() == 2);
  CHECK(answer.report.places[0].shown_by == "region");
  const PlaceReport& wrong = answer.report.places[1];
  CHECK(wrong.shown_by.empty());
  CHECK(wrong.outcome == Outcome::Different);
  REQUIRE(wrong.witness);
  CHECK(wrong.witness->original != wrong.witness->mutant);
}

TEST_CASE("The test that is written down is that of the whole original") {
  ProofOptions options;
  options.record_test = true;
  options.proof_seed = "7";
  const Graph a = stages({0, 0});
  const Graph b = stages({1, 1});
  const auto by_places = places::prove(a, b, options);
  REQUIRE(by_places.verdict);
  REQUIRE(by_places.verdict->test);
  const Verdict whole = BitmapChecker().check(a, b, options);
  REQUIRE(whole.test);
  const TestRecord& mine = *by_places.verdict->test;
  CHECK(mine.seed == whole.test->seed);
  CHECK(mine.primes == whole.test->primes);
  CHECK(mine.log2_error == whole.test->log2_error);
  REQUIRE(mine.ends[0]);
  CHECK(mine.ends[0]->first == whole.test->ends[0]->first);
  CHECK(mine.ends[0]->last == whole.test->ends[0]->last);
}

TEST_CASE("A constant is a symbol in every place if the original has it anywhere") {
  // x + x is 2 x, but not s x for a weight s that happens to be 2 everywhere.
  const auto program = [](bool scaled) {
    Sketch s;
    const NodeId x = s.input("x", {4, 2});
    const NodeId z = s.input("z", {4, 2});
    const NodeId twos = s.constant({2}, {2, 2});
    const NodeId doubled = scaled ? s.op("Mul", {x, twos}) : s.op("Add", {x, x});
    const NodeId elsewhere = s.op("Relu", {s.op("Mul", {z, twos})});
    return std::move(s).finish({s.op("Add", {s.op("Relu", {doubled}), elsewhere})});
  };
  CHECK_FALSE(is_shown(program(false), program(true)));
  CHECK(is_shown(program(true), program(true)));
}

TEST_CASE("A value that the mutant holds twice and rounds in two ways is looked at in the whole") {
  const auto program = [](bool twice) {
    Sketch s;
    const NodeId x = s.input("x", {1, 4, 8, 8});
    const NodeId w = s.ramp({4, 4, 1, 1}, 0.1F);
    const NodeId pooled = s.op("AveragePool", kPool, {s.op("Conv", {x, w})});
    const NodeId other = twice ? s.op("Conv", {s.op("AveragePool", kPool, {x}), w}) : pooled;
    const NodeId a = s.op("Mul", {s.op("Relu", {pooled}), s.scalar(20001)});
    const NodeId b = s.op("Mul", {s.op("Tanh", {other}), s.scalar(20000)});
    return std::move(s).finish({a, b});
  };
  CHECK(why_not(program(false), program(true)) ==
        "a value is computed twice, and rounded in two ways");
  CHECK(is_shown(program(false), program(true)));  // nothing comes of it
}

TEST_CASE("What a slice leaves out behind a logarithm is not read again") {
  const auto program = [](bool reads_rest) {
    Sketch s;
    const NodeId x = s.input("x", {8});
    const NodeId u = s.op("Log", {x});
    const NodeId kept = s.slice(u, 0, 0, 4);
    const NodeId rest = s.slice(u, 0, 4, 8);
    const NodeId nothing = s.op("Sub", {rest, rest});
    return std::move(s).finish({s.op("Relu", {reads_rest ? s.op("Add", {kept, nothing}) : kept})});
  };
  CHECK_FALSE(is_shown(program(false), program(true)));
  const auto piece = [](bool reads_rest) {
    Sketch s;
    const NodeId u = s.input("value 0", {8});
    const NodeId kept = s.slice(u, 0, 0, 4);
    const NodeId rest = s.slice(u, 0, 4, 8);
    return std::move(s).finish(
        {reads_rest ? s.op("Add", {kept, s.op("Sub", {rest, rest})}) : kept});
  };
  places::Place place{piece(false), piece(true), {ValueId(0)}, {}, {}};
  CHECK_FALSE(places::reads_no_more(place, {1}, {}));
  CHECK(places::reads_no_more(place, {0}, {}));
  std::swap(place.original, place.mutant);
  CHECK(places::reads_no_more(place, {1}, {}));
}

TEST_CASE("What a slice leaves out behind a division by constants is not read again") {
  // Before the slice, or after it, where the place has the division in it.
  enum class Divided { Before, After };
  const auto program = [](Divided divided, bool reads_rest) {
    Sketch s;
    const NodeId x = s.input("x", {8});
    const NodeId inverse = s.op("Reciprocal", {s.constant({8}, {1, 2, 3, 4, 5, 6, 7, 8})});
    const NodeId u = s.op("Mul", {x, inverse});
    NodeId kept = divided == Divided::Before
                      ? s.slice(u, 0, 0, 4)
                      : s.op("Mul", {s.slice(inverse, 0, 0, 4), s.slice(x, 0, 0, 4)});
    if (reads_rest) {
      const NodeId rest = s.slice(divided == Divided::Before ? u : inverse, 0, 4, 8);
      kept = s.op("Add", {kept, s.op("Sub", {rest, rest})});
    }
    return std::move(s).finish({s.op("Relu", {kept})});
  };
  ProofOptions options;
  options.floats = Floats::None;
  const Graph original = program(Divided::Before, false);
  for (const Divided divided : {Divided::Before, Divided::After}) {
    INFO(places::prove(original, program(divided, true), options).report.whole);
    CHECK_FALSE(places::prove(original, program(divided, true), options).verdict);
  }
}

TEST_CASE("What is read behind a place counts element by element in large programs, too") {
  // A sum of logarithms added and taken away again, where a slice reads one of them alone.
  const auto program = [](bool reads_all, bool slices) {
    Sketch s;
    const NodeId x = s.input("x", {4, 8});
    const NodeId z = s.input("z", {4, 8});
    const NodeId large = s.op("MatMul", {s.input("p", {300, 300}), s.input("q", {300, 300})});
    NodeId u = s.op("Log", {x});
    if (reads_all) {
      const NodeId sum = s.op("ReduceSum", {{"axes", Ints{1}}}, {u});
      u = s.op("Sub", {s.op("Add", {u, sum}), sum});
    }
    const NodeId product = s.op("Mul", {u, z});
    return std::move(s).finish({slices ? s.slice(product, 1, 0, 1) : product, large});
  };
  ProofOptions options;
  options.floats = Floats::None;
  const Graph original = program(false, true);
  REQUIRE(places::are_large(original, program(true, true)));
  const auto answer = places::prove(original, program(true, true), options);
  CHECK_FALSE(answer.verdict);
  CHECK(answer.report.whole == "an output may be made of more of what is not defined everywhere");
  // Of the sum of all of them every element is made.
  const auto sums = [&](bool other_way) {
    Sketch s;
    const NodeId x = s.input("x", {4, 8});
    const NodeId w = s.input("w", {8, 8});
    const NodeId v = s.input("v", {8, 8});
    const NodeId large = s.op("MatMul", {s.input("p", {300, 300}), s.input("q", {300, 300})});
    const NodeId u = s.op("Log", {x});
    return std::move(s).finish({other_way
                                    ? s.op("MatMul", {u, s.op("Add", {w, v})})
                                    : s.op("Add", {s.op("MatMul", {u, w}), s.op("MatMul", {u, v})}),
                                large});
  };
  CHECK(places::prove(sums(false), sums(true), options).verdict);
}

TEST_CASE("A partial function is not applied where the original does not apply it") {
  const auto program = [](bool divides) {
    Sketch s;
    const NodeId x = s.input("x", {8});
    const NodeId inverse = s.op("Reciprocal", {s.op("Sub", {x, x})});
    const NodeId nothing = s.op("Sub", {inverse, inverse});
    return std::move(s).finish({s.op("Relu", {divides ? s.op("Add", {x, nothing}) : x})});
  };
  CHECK_FALSE(is_shown(program(false), program(true)));
}

TEST_CASE("A constant is not divided by where the original does not divide by it") {
  // Equal for every c but 0, which a symbol may be.
  const auto program = [](bool divides) {
    Sketch s;
    const NodeId x = s.input("x", {5, 6});
    const NodeId c = s.constant({6}, {1, 2, 3, 4, 5, 6});
    const NodeId inverse = s.op("Reciprocal", {c});
    const NodeId y = divides ? s.op("Add", {x, s.op("Sub", {inverse, inverse})}) : x;
    return std::move(s).finish({s.op("Identity", {y}), s.op("Mul", {x, c})});
  };
  for (const Floats floats : {Floats::None, Floats::Drawn}) {
    ProofOptions options;
    options.floats = floats;
    const auto answer = places::prove(program(false), program(true), options);
    CHECK_FALSE(answer.verdict);
    CHECK(answer.report.whole == "a place was not shown");
  }
}

TEST_CASE("What rounding may decide behind places is looked at in the whole") {
  const auto program = [](bool cancels) {
    Sketch s;
    const NodeId x = s.input("x", {8});
    const NodeId z = s.input("z", {8});
    const NodeId much = s.op("Mul", {z, s.scalar(1e7F)});
    const NodeId there_and_back = s.op("Sub", {s.op("Add", {x, much}), much});
    return std::move(s).finish({s.op("Relu", {cancels ? there_and_back : x})});
  };
  const auto answer = places::prove(program(false), program(true), {});
  REQUIRE(answer.verdict);
  CHECK(answer.verdict->outcome == Outcome::Unknown);
  CHECK(answer.verdict->reason.starts_with("ill-conditioned"));
  CHECK(answer.verdict->outputs[0].equal == 0);
  CHECK(answer.verdict->engines[0].outcome == Outcome::Equivalent);  // over the reals
  CHECK_FALSE(answer.report.whole.empty());
  ProofOptions reals;
  reals.floats = Floats::None;
  const auto over_reals = places::prove(program(false), program(true), reals);
  REQUIRE(over_reals.verdict);
  CHECK(over_reals.verdict->outcome == Outcome::Equivalent);
}

TEST_CASE("Only sums in which nothing can cancel are tame") {
  const auto sum = [](float second) {
    Sketch s;
    const NodeId x = s.input("x", {4});
    const NodeId z = s.input("z", {4});
    return std::move(s).finish({s.op("Add", {x, s.op("Mul", {z, s.scalar(second)})})});
  };
  CHECK(places::is_tame(sum(2), sum(2)));
  CHECK_FALSE(places::is_tame(sum(-2), sum(-2)));
  CHECK_FALSE(places::is_tame(sum(1e7F), sum(1e7F)));
  CHECK_FALSE(places::is_tame(sum(1e-7F), sum(1e-7F)));
  const auto difference = [] {
    Sketch s;
    const NodeId x = s.input("x", {4});
    return std::move(s).finish({s.op("Sub", {x, s.input("z", {4})})});
  }();
  CHECK_FALSE(places::is_tame(difference, difference));
  const auto weighted = [](std::size_t times) {
    Sketch s;
    NodeId x = s.input("x", {4, 4});
    for (std::size_t i = 0; i < times; ++i) x = s.op("MatMul", {x, s.ramp({4, 4})});
    return std::move(s).finish({x});
  };
  CHECK(places::is_tame(weighted(1), weighted(1)));
  CHECK_FALSE(places::is_tame(weighted(2), weighted(2)));
}

TEST_CASE("A constant of either sign is added once and is of what the original computes with") {
  const auto shifted = [](bool twice, bool is_negative, bool foreign) {
    Sketch s;
    const NodeId x = s.input("x", {4});
    const NodeId b = s.constant({4}, {1, 2, 3, 4});
    const NodeId c = s.constant({4}, {5, 6, 7, 8});
    const NodeId added = is_negative ? s.op("Sub", {b, foreign ? c : b}) : s.op("Add", {b, b});
    NodeId out = s.op("Add", {x, added});
    if (twice) out = s.op("Add", {out, b});
    return std::move(s).finish({out});
  };
  const Graph original = shifted(false, false, false);  // has b, and not c
  CHECK(places::is_tame(original, shifted(false, false, false)));
  CHECK(places::is_tame(original, shifted(true, false, false)));
  CHECK(places::is_tame(original, shifted(false, true, false)));
  CHECK_FALSE(places::is_tame(original, shifted(true, true, false)));
}

TEST_CASE("Numbers near the end of the floats are looked at as a whole") {
  const auto scaled = [](float by) {
    Sketch s;
    const NodeId x = s.input("x", {4});
    return std::move(s).finish({s.op("Mul", {x, s.scalar(by)})});
  };
  CHECK(places::stays_within_floats(scaled(1000)));
  CHECK_FALSE(places::stays_within_floats(scaled(1e36F)));
}

namespace {

// A convolution, a function and another convolution; in between the axes stand otherwise.
Graph in_layout(const std::string& function, const Attrs& attrs, const Ints& order) {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4, 5});
  NodeId y = s.op("Conv", {x, s.ramp({6, 3, 1, 1}, 0.1F)});
  if (!order.empty()) y = s.transpose(y, order);
  y = s.op(function, attrs, {y});
  if (!order.empty()) {
    Ints back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    y = s.transpose(y, back);
  }
  return std::move(s).finish({s.op("Conv", {y, s.ramp({2, 6, 1, 1}, 0.2F)})});
}

}  // namespace

TEST_CASE("Axes may stand in another order while functions are applied") {
  CHECK(is_shown(in_layout("Relu", {}, {}), in_layout("Relu", {}, {0, 2, 1, 3})));
  CHECK(is_shown(in_layout("Relu", {}, {}), in_layout("Relu", {}, {3, 2, 1, 0})));
  CHECK(is_shown(in_layout("Relu", {}, {0, 2, 1, 3}), in_layout("Relu", {}, {})));
  // Along another axis it is another function.
  const Attrs first{{"axis", std::int64_t{1}}};
  CHECK_FALSE(is_shown(in_layout("Softmax", first, {}), in_layout("Softmax", first, {0, 2, 1, 3})));
}

TEST_CASE("An operator without a meaning has its operand's axes as they are") {
  const auto program = [](bool moved) {
    Sketch s;
    const NodeId x = s.input("x", {2, 3});
    const NodeId y = s.op("Mul", {x, s.scalar(2)});
    const NodeId read = moved ? s.transpose(y, {1, 0}) : y;
    const NodeId z = s.opaque("Odd", {read}, float_tensor({4}));
    return std::move(s).finish({s.op("Relu", {z})});
  };
  CHECK_FALSE(is_shown(program(false), program(true)));
}

TEST_CASE("Whether an operator is another one with its axes moved is read off their meanings") {
  const auto meaning = [](const Shape& shape, const std::string& name, const Attrs& attrs) {
    Sketch s;
    const NodeId x = s.input("x", shape);
    const Graph g = std::move(s).finish({s.op(name, attrs, {x})});
    return g.meaning(g.outputs()[0]);
  };
  const auto a = meaning({2, 3, 4}, "Relu", {});
  const auto b = meaning({2, 4, 3}, "Relu", {});
  CHECK(places::is_rearranged(a, b, {0, 2, 1}, {{0, 2, 1}}));
  CHECK_FALSE(places::is_rearranged(a, b, {0, 2, 1}, {{0, 1, 2}}));
  CHECK_FALSE(places::is_rearranged(a, b, {0, 1, 2}, {{0, 1, 2}}));
  CHECK_FALSE(places::is_rearranged(a, meaning({2, 4, 3}, "Tanh", {}), {0, 2, 1}, {{0, 2, 1}}));
  const auto sums = meaning({3, 3, 3}, "CumSum", {{"axis", std::int64_t{1}}});
  CHECK(places::is_rearranged(sums, meaning({3, 3, 3}, "CumSum", {{"axis", std::int64_t{2}}}),
                              {0, 2, 1}, {{0, 2, 1}}));
  CHECK_FALSE(places::is_rearranged(sums, sums, {0, 2, 1}, {{0, 2, 1}}));
}

namespace {

// A product, by `how`, before a softmax: which makes much of small differences.
Graph before_softmax(int how) {
  Sketch s;
  const NodeId x = s.input("x", {6, 8});
  const NodeId w = s.ramp({8, 8}, 0.125F);
  const auto product = [&]() -> NodeId {
    switch (how) {
      case 0:
        return s.op("MatMul", {x, w});
      case 1: {
        const NodeId turned = s.op("MatMul", {s.transpose(w, {1, 0}), s.transpose(x, {1, 0})});
        return s.transpose(turned, {1, 0});
      }
      default: {
        const NodeId first = s.op("MatMul", {s.slice(x, 1, 0, 4), s.slice(w, 0, 0, 4)});
        return s.op("Add", {first, s.op("MatMul", {s.slice(x, 1, 4, 8), s.slice(w, 0, 4, 8)})});
      }
    }
  };
  return std::move(s).finish({s.op("Softmax", {{"axis", Dim{1}}}, {product()})});
}

}  // namespace

TEST_CASE("Floats come alike out of one operator between operators that move elements") {
  const auto alike = [](int how) {
    const auto piece = [](int of) {
      Sketch s;
      const NodeId x = s.input("x", {6, 8});
      const NodeId w = s.ramp({8, 8}, 0.125F);
      if (of == 0) return std::move(s).finish({s.op("MatMul", {x, w})});
      if (of == 1) {
        const NodeId turned = s.op("MatMul", {s.transpose(w, {1, 0}), s.transpose(x, {1, 0})});
        return std::move(s).finish({s.transpose(turned, {1, 0})});
      }
      if (of == 2) {
        const NodeId first = s.op("MatMul", {s.slice(x, 1, 0, 4), s.slice(w, 0, 0, 4)});
        const NodeId rest = s.op("MatMul", {s.slice(x, 1, 4, 8), s.slice(w, 0, 4, 8)});
        return std::move(s).finish({s.op("Add", {first, rest})});
      }
      if (of == 3) {
        const NodeId scaled = s.op("Mul", {s.op("Mul", {w, s.scalar(0.5F)}), s.scalar(2)});
        return std::move(s).finish({s.op("MatMul", {x, scaled})});
      }
      // Numbers of its own.
      const NodeId ones = s.constant({8, 8}, std::vector<float>(64, 1));
      return std::move(s).finish({s.op("MatMul", {x, ones})});
    };
    return places::is_rounded_alike(piece(0), piece(how));
  };
  CHECK(alike(0));
  CHECK(alike(1));
  CHECK_FALSE(alike(2));
  CHECK_FALSE(alike(3));
  CHECK_FALSE(alike(4));
}

TEST_CASE("What is rounded alike needs no look at what follows") {
  const auto answer = places::prove(before_softmax(0), before_softmax(1), {});
  CHECK(answer.verdict);
  // The same sum in two parts is looked at by its sizes, and they are the same.
  CHECK(places::prove(before_softmax(0), before_softmax(2), {}).verdict);
}
