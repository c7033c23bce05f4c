#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "core/program/difference.h"
#include "core/util/rng.h"
#include "tests/core/rewrite/rules.h"
#include "tests/support/seeded.h"
#include "tests/support/sketch.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::rules;
using test::Sketch;

namespace {

struct Applied {
  std::vector<Graph> programs;
  std::map<Fit, std::size_t> decided;
  std::size_t cycles = 0;
};

// The rule at every place, each by itself.
Applied everywhere(Rewriter& rewriter, const Graph& program) {
  Applied out;
  for (const Match& match : rewriter.matches(program)) {
    const auto decided = rewriter.decide(program, match);
    ++out.decided[decided.fit];
    if (decided.fit != Fit::Fits) continue;
    auto made = Rewriter::applied(program, match, *decided.instance);
    if (made) {
      out.programs.push_back(*std::move(made));
    } else {
      ++out.cycles;
    }
  }
  return out;
}

Outcome compared(const Graph& original, const Graph& rewritten) {
  BitmapChecker engine;
  ProofOptions options;
  options.bind_weights = true;
  return engine.check(original, rewritten, options).outcome;
}

// Over the reals, as rules are verified: sums added up in another order may round otherwise.
Outcome compared_exactly(const Graph& original, const Graph& rewritten) {
  return ExactEngine().check(original, rewritten, {}).outcome;
}

const char* const kPoolThroughConvolution = R"({"id": "pool",
  "inputs": [{"name": "x", "rank": 4}, {"name": "w", "rank": 4}],
  "source": {"ops": [
    {"op": "conv2d", "inputs": [{"in": "x"}, {"in": "w"}], "attrs": {"padding": "VALID"}},
    {"op": "poolavg", "inputs": [{"op": 0}], "attrs": {"kernel_h": 2, "kernel_w": 2,
      "stride_h": 2, "stride_w": 2, "padding": "VALID"}}], "outputs": [{"op": 1}]},
  "target": {"ops": [
    {"op": "poolavg", "inputs": [{"in": "x"}], "attrs": {"kernel_h": 2, "kernel_w": 2,
      "stride_h": 2, "stride_w": 2, "padding": "VALID"}},
    {"op": "conv2d", "inputs": [{"op": 0}, {"in": "w"}], "attrs": {"padding": "VALID"}}],
    "outputs": [{"op": 1}]}})";

Graph pooled_convolution(Dim kernel, const Attrs& pool) {
  Sketch s;
  const NodeId x = s.input("x", {1, 4, 8, 8});
  const NodeId conv =
      s.op("Conv", {{"pads", Ints{0, 0, 0, 0}}}, {x, s.ramp({6, 4, kernel, kernel})});
  return std::move(s).finish({s.op("AveragePool", pool, {conv})});
}

const Attrs kPool2 = {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};

TEST_CASE("A rule is applied where its source stands, however its attributes are spelled") {
  Rewriter rewriter =
      test::rewriter_of(test::rule_of(kPoolThroughConvolution), "w[2] = 1 and w[3] = 1");
  for (const std::int64_t include : {0, 1}) {
    Attrs pool = kPool2;
    pool.set("count_include_pad", include);
    const Graph program = pooled_convolution(1, pool);
    const Applied done = everywhere(rewriter, program);
    REQUIRE(done.programs.size() == 1);
    CHECK(done.programs[0].digest() != program.digest());
    CHECK(compared(program, done.programs[0]) == Outcome::Equivalent);
  }
}

TEST_CASE("A rule is not applied where its condition fails, or other attributes stand there") {
  Rewriter rewriter =
      test::rewriter_of(test::rule_of(kPoolThroughConvolution), "w[2] = 1 and w[3] = 1");
  const Applied larger = everywhere(rewriter, pooled_convolution(3, kPool2));
  CHECK(larger.programs.empty());
  CHECK(larger.decided == std::map<Fit, std::size_t>{{Fit::ConditionFails, 1}});
  Attrs padded = kPool2;
  padded.set("pads", Ints{1, 1, 1, 1});
  CHECK(everywhere(rewriter, pooled_convolution(1, padded)).decided ==
        std::map<Fit, std::size_t>{{Fit::OtherOperators, 1}});
}

// Without its condition the same rule is wrong, and the programs show it: the condition matters.
TEST_CASE("What a wrong rule makes differs from the original") {
  Rewriter rewriter = test::rewriter_of(test::rule_of(kPoolThroughConvolution));
  Sketch s;
  const NodeId x = s.input("x", {1, 2, 6, 6});
  const NodeId w = s.input("w", {2, 2, 3, 3});
  const NodeId conv = s.op("Conv", {{"pads", Ints{0, 0, 0, 0}}}, {x, w});
  const Graph program = std::move(s).finish({s.op("AveragePool", kPool2, {conv})});
  const Applied done = everywhere(rewriter, program);
  CHECK(done.programs.empty());
  CHECK(done.decided == std::map<Fit, std::size_t>{{Fit::OtherTypes, 1}});
}

TEST_CASE("A rule whose target is its source here, in another order, changes nothing") {
  // relu of a convolution, and a convolution with relu: the same two expressions on both sides.
  Rewriter rewriter = test::rewriter_of(test::published("taso_graph_subst", "taso-pb-063"));
  Sketch s;
  const Attrs same = {{"pads", Ints{1, 1, 1, 1}}};
  std::vector<NodeId> outputs;
  for (const char* name : {"x", "y"})
    outputs.push_back(
        s.op("Relu", {s.op("Conv", same, {s.input(name, {1, 2, 5, 5}), s.ramp({2, 2, 3, 3})})}));
  const Applied done = everywhere(rewriter, std::move(s).finish(outputs));
  CHECK(done.programs.empty());
  CHECK(done.decided == std::map<Fit, std::size_t>{{Fit::ChangesNothing, 2}});
}

// TASO, Figure 6: of two products one reads what follows from the other.
TEST_CASE("A rewriting that would make a value of itself is refused") {
  const Rule merge = test::published("taso_graph_subst", "taso-pb-127");
  Rewriter rewriter = test::rewriter_of(merge);
  Sketch s;
  const NodeId x = s.input("x", {1, 4, 6, 6});
  const Attrs same = {{"pads", Ints{1, 1, 1, 1}}};
  const NodeId first = s.op("Conv", same, {x, s.ramp({4, 4, 3, 3})});
  // A kernel that is computed from the other convolution.
  const NodeId kernel = s.slice(s.slice(first, 2, 0, 3), 3, 0, 3);
  const NodeId weight = s.concat({kernel, kernel}, 0);
  const NodeId second = s.op("Conv", same, {x, weight});
  const Graph program = std::move(s).finish({first, second});
  const Applied done = everywhere(rewriter, program);
  CHECK(done.programs.empty());
  CHECK(done.cycles == 2);
  CHECK(done.decided == std::map<Fit, std::size_t>{{Fit::Fits, 2}});
}

TEST_CASE("Two convolutions of one value become one, and all else keeps its name") {
  const Rule merge = test::published("taso_graph_subst", "taso-pb-127");
  Rewriter rewriter = test::rewriter_of(merge, "input_7[1] / input_10[1] = 1");
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 4, 6, 6}));
  Rng rng(3);
  const auto conv = [&](Dim features, const std::string& name) {
    const NodeId w = test::normal_weight(b, {features, 4, 3, 3}, rng);
    return *b.add(ops::conv(), {{"pads", Ints{1, 1, 1, 1}}}, {x, w}, name);
  };
  const NodeId one = conv(3, "one");
  const NodeId two = conv(5, "two");
  b.add_output(*b.add(ops::relu(), {}, {one}, "a"));
  b.add_output(*b.add(ops::tanh(), {}, {two}, "b"));
  const Graph program = std::move(b).build();
  const Applied done = everywhere(rewriter, program);
  REQUIRE(done.programs.size() == 2);  // the one first, or the other
  for (const Graph& made : done.programs) {
    CHECK(compared(program, made) == Outcome::Equivalent);
    const auto changes = differences(program, made, "pet");
    REQUIRE(changes.ok());
    REQUIRE(changes->size() == 1);
    CHECK(changes->front().inputs == std::vector<NodeId>{x});
    CHECK(changes->front().outputs.size() == 2);  // the two convolutions, what reads them stays
  }
}

// Any program of these operators, over few shapes, so that rules have something to meet.
Graph random_program(Rng& rng) {
  Sketch s;
  std::vector<NodeId> values;
  const Dim n = rng.between(2, 3);
  for (int i = 0; i < 3; ++i) values.push_back(s.input("x" + std::to_string(i), {n, n}));
  const auto any = [&] { return values[rng.below(values.size())]; };
  constexpr std::size_t kOps = 7;
  for (std::size_t i = 0; i < kOps; ++i) {
    const NodeId a = any();
    const NodeId c = any();
    switch (rng.below(5)) {
      case 0:
        values.push_back(s.op("Add", {a, c}));
        break;
      case 1:
        values.push_back(s.op("Mul", {a, c}));
        break;
      case 2:
        values.push_back(s.op("Relu", {a}));
        break;
      case 3:
        values.push_back(s.transpose(a, {1, 0}));
        break;
      default:
        values.push_back(s.op("MatMul", {a, c}));
        break;
    }
  }
  const NodeId last = values.back();
  return std::move(s).finish({last, values[values.size() - 2]});
}

TEST_CASE("Whatever published rules make of random programs is equal to them") {
  const auto file = read_rules(std::filesystem::path(PET_RULES) / "taso_graph_subst.json");
  REQUIRE(file.ok());
  std::vector<UsableRule> all;
  for (const Rule& rule : file->rules) {
    auto made = usable(rule, "");
    const bool is_plain =
        std::ranges::none_of(rule.source.ops, [](const RuleOp& op) { return op.name == "conv2d"; });
    if (made && is_plain) all.push_back(*std::move(made));
  }
  REQUIRE(all.size() > 50);
  Rewriter rewriter(std::move(all));
  test::Seeded rng;
  CAPTURE(rng.drawn);
  std::set<std::size_t> used;
  std::size_t compared_so_far = 0;
  for (int i = 0; i < 150; ++i) {
    const Graph program = random_program(rng);
    for (const Match& match : rewriter.matches(program)) {
      const auto decided = rewriter.decide(program, match);
      if (decided.fit != Fit::Fits) continue;
      const auto made = Rewriter::applied(program, match, *decided.instance);
      if (!made) continue;
      CAPTURE(rewriter.rules()[match.rule].rule.id, to_string(program), to_string(*made));
      REQUIRE(compared_exactly(program, *made) == Outcome::Equivalent);
      used.insert(match.rule);
      ++compared_so_far;
    }
  }
  CHECK(compared_so_far > 100);
  CHECK(used.size() > 8);
}

}  // namespace
