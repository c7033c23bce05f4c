// What is proved at all sizes: rules that are right, rules that look right at few sizes, and rules
// that somebody has tampered with, held against an engine at sizes that were drawn. Over 400 lines:
// each way to a false proof has programs of its own.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/rewrite/draw.h"
#include "tests/support/seeded.h"
#include "verify/all_sizes/facts.h"
#include "verify/all_sizes/prove.h"
#include "verify/all_sizes/solver_question.h"
#include "verify/exact/exact_engine.h"
#include "verify/rules/rule_family.h"
#include "verify/smt/solver.h"

using namespace pet;
using namespace pet::all_sizes;

namespace {

// Of one input x and one output each.
using Build = std::function<Result<NodeId>(GraphBuilder&, const SizeValues&)>;

Graph built(const Build& build, const SizeValues& sizes) {
  GraphBuilder builder;
  const auto output = build(builder, sizes);
  REQUIRE((output ? "" : output.error().message) == "");
  builder.add_output(*output);
  return std::move(builder).build();
}

Family family(std::size_t symbols, Build original, Build mutant) {
  Family out;
  out.symbols.assign(symbols, "n");
  out.at = [original, mutant](const SizeValues& sizes) -> Result<std::pair<Graph, Graph>> {
    return std::pair(built(original, sizes), built(mutant, sizes));
  };
  return out;
}

// Empty: proved.
std::string why_not(const Family& family, Constants constants = Constants::Numbers) {
  const auto pair = sized_pair(family, constants);
  if (!pair) return pair.error().message;
  const auto proved = prove_for_all_sizes(family, *pair);
  return proved ? "" : proved.error().message;
}

Result<NodeId> sliced(GraphBuilder& b, NodeId x, Dim axis, Dim from, Dim to, Dim step = 1) {
  return b.add(
      ops::slice(),
      Attrs{
          {"axes", Ints{axis}}, {"starts", Ints{from}}, {"ends", Ints{to}}, {"steps", Ints{step}}},
      {x});
}

NodeId input(GraphBuilder& b, const char* name, const Shape& shape) {
  return b.add_input(name, float_tensor(shape));
}

// x [n, k+l] · y [k+l, m]
Result<NodeId> product(GraphBuilder& b, const SizeValues& s) {
  return b.add(ops::mat_mul(), {},
               {input(b, "x", {s[0], s[1] + s[2]}), input(b, "y", {s[1] + s[2], s[3]})});
}

// The same in two sums, the second from `second` on.
Result<NodeId> product_in_two(GraphBuilder& b, const SizeValues& s, Dim second) {
  const Dim all = s[1] + s[2];
  const NodeId x = input(b, "x", {s[0], all});
  const NodeId y = input(b, "y", {all, s[3]});
  const auto first =
      b.add(ops::mat_mul(), {}, {*sliced(b, x, 1, 0, s[1]), *sliced(b, y, 0, 0, s[1])});
  const auto rest =
      b.add(ops::mat_mul(), {}, {*sliced(b, x, 1, second, all), *sliced(b, y, 0, second, all)});
  return b.add(ops::add(), {}, {*first, *rest});
}

}  // namespace

TEST_CASE("Facts follow, contradict each other, or leave open") {
  const Affine n = Affine::of(0);
  const Affine m = Affine::of(1);
  const Facts facts({n - 1, m - n});
  CHECK(facts.holds(m - 1) == true);
  CHECK(facts.holds(n - m - 1) == false);
  CHECK(facts.holds(n - 2) == std::nullopt);
  CHECK_FALSE(facts.contradict());
  CHECK(facts.with(n - m - 1).contradict());
  // 1 <= 2n <= 1 has a solution, but no whole one.
  CHECK(Facts({n * 2 - 1, Affine(1) - n * 2}).contradict());
  CHECK_FALSE(Facts({n * 2 - 2, Affine(2) - n * 2}).contradict());
}

TEST_CASE("Turned round twice is the same at all sizes, turned round once is not") {
  const auto turned = [](int times) {
    return [times](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      NodeId x = input(b, "x", {s[0], 3});
      for (int i = 0; i < times; ++i) x = *sliced(b, x, 0, s[0] - 1, -1, -1);
      return b.add(ops::identity(), {}, {x});
    };
  };
  CHECK(why_not(family(1, turned(0), turned(2))) == "");
  CHECK(why_not(family(1, turned(1), turned(3))) == "");
  CHECK(why_not(family(1, turned(0), turned(1))) != "");
}

TEST_CASE("A product is the sum of two products over parts of what is summed") {
  const auto cut_at = [](Dim beyond) {
    return [beyond](GraphBuilder& b, const SizeValues& s) {
      return product_in_two(b, s, s[1] + beyond);
    };
  };
  CHECK(why_not(family(4, product, cut_at(0))) == "");
  // One of the products is left out, or taken twice.
  Family left_out = family(4, product, cut_at(1));
  left_out.at_least_zero = {Affine::of(2) - 2};
  CHECK(why_not(left_out) != "");
  CHECK(why_not(family(4, product, cut_at(-1))) != "");
}

TEST_CASE("A sum in the argument of a function is told from another one") {
  const auto of = [](bool swapped) {
    return [swapped](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0], s[0]});
      const NodeId y = input(b, "y", {s[0], s[0]});
      const auto inner = b.add(ops::mat_mul(), {}, {swapped ? y : x, swapped ? x : y});
      const auto relu = b.add(ops::relu(), {}, {*inner});
      return b.add(ops::mat_mul(), {}, {*relu, x});
    };
  };
  CHECK(why_not(family(1, of(false), of(false))) == "");
  CHECK(why_not(family(1, of(false), of(true))) != "");
}

TEST_CASE("A function of a concatenation, summed over, is a sum of two") {
  const auto whole = [](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
    const auto joined = b.add(ops::concat(), Attrs{{"axis", std::int64_t{1}}},
                              {input(b, "x", {s[0], s[1]}), input(b, "z", {s[0], s[2]})});
    return b.add(ops::mat_mul(), {},
                 {*b.add(ops::relu(), {}, {*joined}), input(b, "y", {s[1] + s[2], s[3]})});
  };
  const auto in_two = [](Dim second) {
    return [second](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0], s[1]});
      const NodeId z = input(b, "z", {s[0], s[2]});
      const NodeId y = input(b, "y", {s[1] + s[2], s[3]});
      const auto first =
          b.add(ops::mat_mul(), {}, {*b.add(ops::relu(), {}, {x}), *sliced(b, y, 0, 0, s[1])});
      const auto rest = b.add(
          ops::mat_mul(), {},
          {*b.add(ops::relu(), {}, {z}), *sliced(b, y, 0, second * s[1], second * s[1] + s[2])});
      return b.add(ops::add(), {}, {*first, *rest});
    };
  };
  CHECK(why_not(family(4, whole, in_two(1))) == "");
  CHECK(why_not(family(4, whole, in_two(0))) != "");
}

TEST_CASE("What is equal at small sizes only is not proved") {
  // Up to a size of 12 these are the same: what `at` gives is no affine function of the size, and
  // an instance shows it.
  const auto first = [](Dim most) {
    return [most](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0] + 1});
      return b.add(ops::identity(), {}, {*sliced(b, x, 0, std::min(s[0], most) - 1, s[0])});
    };
  };
  CHECK(why_not(family(1, first(1000), first(1000))) == "");
  CHECK(why_not(family(1, first(12), first(12))) != "");
  // Steps of 2 leave half of it, rounded: not written in symbols at all.
  const auto every_other = [](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
    return sliced(b, input(b, "x", {s[0]}), 0, 0, s[0], 2);
  };
  CHECK(why_not(family(1, every_other, every_other)) != "");
}

TEST_CASE("Square matrices are no reason") {
  const auto transposed = [](bool really) {
    return [really](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0], s[0]});
      if (!really) return b.add(ops::identity(), {}, {x});
      return b.add(ops::transpose(), Attrs{{"perm", Ints{1, 0}}}, {x});
    };
  };
  CHECK(why_not(family(1, transposed(true), transposed(true))) == "");
  CHECK(why_not(family(1, transposed(false), transposed(true))) != "");
}

TEST_CASE("A convolution of the transposed image with the transposed kernel") {
  const auto convolved = [](bool image, bool kernel, std::int64_t pad) {
    return [=](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const auto turned = [&](NodeId x, bool really) {
        return really ? *b.add(ops::transpose(), Attrs{{"perm", Ints{0, 1, 3, 2}}}, {x}) : x;
      };
      const NodeId x = turned(input(b, "x", {s[0], s[1], s[2] + 2, s[3] + 2}), image);
      const NodeId w = turned(input(b, "w", {s[4], s[1], 3, 3}), kernel);
      const auto y = b.add(ops::conv(), Attrs{{"pads", Ints{1, pad, 1, pad}}}, {x, w});
      return b.add(ops::relu(), {}, {turned(*y, image)});
    };
  };
  CHECK(why_not(family(5, convolved(false, false, 1), convolved(true, true, 1))) == "");
  CHECK(why_not(family(5, convolved(false, false, 1), convolved(true, false, 1))) != "");
  CHECK(why_not(family(5, convolved(false, false, 0), convolved(true, true, 0))) != "");
}

TEST_CASE("Constants are the same tensor, or one number") {
  const auto times = [](std::vector<float> values) {
    return [=](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId w =
          b.add_constant(std::make_shared<const Tensor>(Tensor::of_floats({3}, values)));
      return b.add(ops::mul(), {}, {input(b, "x", {s[0], 3}), w});
    };
  };
  const auto doubled = [](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
    const NodeId x = input(b, "x", {s[0], 3});
    return b.add(ops::add(), {}, {x, x});
  };
  CHECK(why_not(family(1, times({1, 2, 3}), times({1, 2, 3}))) == "");
  CHECK(why_not(family(1, times({1, 2, 3}), times({1, 2, 4}))) != "");
  CHECK(why_not(family(1, times({2, 2, 2}), doubled)) == "");
  CHECK(why_not(family(1, times({2, 2, 3}), doubled)) != "");
  // Of a file that may be trained further not even that.
  CHECK(why_not(family(1, times({2, 2, 2}), doubled), Constants::Symbols) != "");
  CHECK(why_not(family(1, times({2, 2, 2}), times({2, 2, 2})), Constants::Symbols) == "");
}

TEST_CASE("However deep functions are nested, the sums in them stay apart") {
  // x u against u x inside a sum, below so many functions.
  const auto below = [](int functions, bool swapped) {
    return [=](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0], s[0]});
      const NodeId u = input(b, "u", {s[0]});
      const NodeId r = *b.add(ops::mat_mul(), {}, {swapped ? u : x, swapped ? x : u});
      NodeId value =
          *b.add(ops::mat_mul(), {}, {input(b, "v", {s[0]}), *b.add(ops::exp(), {}, {r})});
      for (int i = 0; i < functions; ++i) value = *b.add(ops::tanh(), {}, {value});
      return b.add(ops::identity(), {}, {value});
    };
  };
  CHECK(why_not(family(1, below(3, false), below(3, false))) == "");
  for (const int functions : {3, 999, 1000, 1001, 20000}) {
    INFO(functions);
    CHECK(why_not(family(1, below(functions, false), below(functions, true))) != "");
  }
}

TEST_CASE("A sum over one value is put into the ranges of the others, too") {
  // x times a[2] + a[3] + a[4] - b[0] - b[1] - b[2], written with two sums that depend on each
  // other.
  const auto of = [](bool nothing) {
    return [=](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId a = input(b, "a", {s[0], 1, 5});
      const NodeId c = input(b, "b", {s[0], 1, 6});
      const NodeId x = input(b, "x", {s[0], 1, 1});
      const NodeId zero = *b.add(ops::mul(), {}, {x, b.add_scalar(0)});
      if (nothing) return b.add(ops::identity(), {}, {zero});
      const NodeId ones = b.add_constant(
          std::make_shared<const Tensor>(Tensor::of_floats({1, 1, 6}, std::vector<float>(6, 1))));
      const auto joined = [&](std::vector<NodeId> parts) {
        return *b.add(ops::concat(), Attrs{{"axis", std::int64_t{2}}}, std::move(parts));
      };
      const auto added_up = [&](NodeId values) { return *b.add(ops::conv(), {}, {values, ones}); };
      const NodeId p = added_up(joined({*sliced(b, a, 2, 1, 5), *sliced(b, c, 2, 3, 6)}));
      const NodeId q = added_up(joined({*sliced(b, a, 2, 0, 2), *sliced(b, c, 2, 0, 5)}));
      const NodeId minus = *b.add(ops::mul(), {}, {x, b.add_scalar(-1)});
      const NodeId products =
          *b.add(ops::mul(), {}, {joined({x, zero, zero, minus}), joined({p, q})});
      return b.add(ops::reduce_sum(), Attrs{{"axes", Ints{2}}, {"keepdims", std::int64_t{1}}},
                   {products});
    };
  };
  CHECK(why_not(family(1, of(false), of(true))) != "");
  CHECK(why_not(family(1, of(true), of(true))) == "");
}

TEST_CASE("Functions do not pass through sums") {
  const auto of = [](bool outside) {
    return [outside](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      const NodeId x = input(b, "x", {s[0]});
      const NodeId y = input(b, "y", {s[0]});
      const auto relu = [&](NodeId v) { return *b.add(ops::relu(), {}, {v}); };
      if (outside) return relu(*b.add(ops::add(), {}, {x, y}));
      return b.add(ops::add(), {}, {relu(x), relu(y)});
    };
  };
  CHECK(why_not(family(1, of(false), of(false))) == "");
  CHECK(why_not(family(1, of(true), of(false))) != "");
}

TEST_CASE("A scale taken twice is not one taken once") {
  const auto scaled = [](int times) {
    return [times](GraphBuilder& b, const SizeValues& s) -> Result<NodeId> {
      NodeId x = input(b, "x", {s[0], s[1]});
      const NodeId w = input(b, "w", {});
      for (int i = 0; i < times; ++i) x = *b.add(ops::mul(), {}, {x, w});
      return b.add(ops::identity(), {}, {x});
    };
  };
  CHECK(why_not(family(2, scaled(2), scaled(2))) == "");
  CHECK(why_not(family(2, scaled(1), scaled(2))) != "");
}

namespace {

// One change: an operand, an axis, a permutation, or which result is read.
bool tamper(rules::RuleProgram& program, Rng& rng) {
  if (program.ops.empty()) return false;
  rules::RuleOp& op = program.ops[rng.below(program.ops.size())];
  switch (rng.below(4)) {
    case 0:
      if (op.operands.size() < 2) return false;
      std::swap(op.operands[0], op.operands[1]);
      return true;
    case 1: {
      const auto axis = op.attrs.find("axis");
      if (axis == op.attrs.end()) return false;
      axis->second = Dim{1} - op.integer("axis", 0);
      return op.integer("axis", 0) >= 0;
    }
    case 2: {
      const rules::RuleOp& other = program.ops[rng.below(program.ops.size())];
      if (op.operands.empty() || other.operands.empty() || other.operands[0].input.empty())
        return false;
      op.operands[rng.below(op.operands.size())] = other.operands[0];
      return true;
    }
    default: {
      rules::Reference& output = program.outputs[rng.below(program.outputs.size())];
      output.output = 1 - std::min<std::size_t>(output.output, 1);
      return true;
    }
  }
}

Outcome at_drawn_sizes(const rules::Rule& rule, Rng& rng) {
  ExactEngine exact;
  ProofOptions options;
  options.bind_weights = true;  // as rules mean their constants
  for (int i = 0; i < 5; ++i) {
    const auto drawn = rules::draw(rule, rng);
    if (!drawn || !drawn->instance) return Outcome::Unknown;
    const Verdict verdict = exact.check(drawn->instance->source, drawn->instance->target, options);
    if (verdict.outcome != Outcome::Equivalent) return verdict.outcome;
  }
  return Outcome::Equivalent;
}

}  // namespace

TEST_CASE(
    "Published rules: many are proved at all sizes, and of tampered ones only what is right") {
  test::Seeded seeded;
  CAPTURE(seeded.drawn);
  Rng rng(seeded.drawn);
  std::size_t proved = 0;
  std::size_t still_proved = 0;
  std::size_t tampered = 0;
  for (const char* name : {"taso_graph_subst.json", "taso_properties.json"}) {
    const auto file = rules::read_rules(std::filesystem::path(PET_RULES) / name);
    REQUIRE((file ? "" : file.error().message) == "");
    for (const rules::Rule& rule : file->rules) {
      const auto known = rules::family_of(rule);
      if (!known || !why_not(*known).empty()) continue;
      ++proved;
      for (int i = 0; i < 4; ++i) {
        rules::Rule other = rule;
        if (!tamper(i % 2 == 0 ? other.source : other.target, rng)) continue;
        const auto changed = rules::family_of(other);
        if (!changed) continue;
        ++tampered;
        if (!why_not(*changed).empty()) continue;
        ++still_proved;
        INFO(rule.id);
        CHECK(at_drawn_sizes(other, rng) == Outcome::Equivalent);
      }
    }
  }
  CHECK(proved >= 80);
  CHECK(tampered >= 100);
  CHECK(still_proved < tampered);
}

namespace {

// By the solver; Unknown where it has no word for it, or no time left.
smt::Answer can_differ(const Family& family) {
  const auto pair = sized_pair(family, Constants::Numbers);
  if (!pair) return smt::Answer::Unknown;
  const auto question = solver_question(family, *pair);
  if (!question) return smt::Answer::Unknown;
  auto solver = smt::Solver::start("z3", std::chrono::seconds(1), {}, {});
  REQUIRE((solver ? "" : solver.error().message) == "");
  for (const std::string& command : question->commands) REQUIRE(solver->tell(command));
  auto out = smt::Answer::No;
  for (const std::string& difference : question->differences) {
    const auto answer = solver->can_hold(difference);
    REQUIRE((answer ? "" : answer.error().message) == "");
    if (*answer == smt::Answer::Yes) return *answer;
    if (*answer == smt::Answer::Unknown) out = *answer;
  }
  return out;
}

}  // namespace

TEST_CASE("A solver agrees: what is proved at all sizes cannot differ at any") {
  const auto file = rules::read_rules(std::filesystem::path(PET_RULES) / "taso_graph_subst.json");
  REQUIRE((file ? "" : file.error().message) == "");
  std::size_t agreed = 0;
  std::size_t refuted = 0;
  for (const rules::Rule& rule : file->rules) {
    const auto known = rules::family_of(rule);
    if (!known || !why_not(*known).empty()) continue;
    INFO(rule.id);
    const auto answer = can_differ(*known);
    CHECK(answer != smt::Answer::Yes);
    agreed += answer == smt::Answer::No ? 1U : 0U;
    // The second program of one rule is none of another's, but for the sake of a difference.
    if (rule.target.ops.empty()) continue;
    rules::Rule other = rule;
    std::swap(other.target.ops.front().operands.front(), other.target.ops.front().operands.back());
    const auto changed = rules::family_of(other);
    if (!changed || why_not(*changed).empty()) continue;
    refuted += can_differ(*changed) == smt::Answer::Yes ? 1U : 0U;
  }
  CHECK(agreed >= 40);
  CHECK(refuted >= 1);
}
