// Failing pairs made smaller, and what must not happen to them meanwhile.
#include <catch2/catch.hpp>

#include "tests/support/liar.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/sketch.h"
#include "verify/files/case_check.h"
#include "verify/pairs/engines.h"
#include "verify/reduce/operator_edits.h"
#include "verify/reduce/reducer.h"
#include "verify/reduce/resizing.h"
#include "verify/reduce/shared_values.h"

using namespace pet;
using namespace pet::reduce;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;

namespace {

// Two convolutions, a residual connection and functions; one convolution of the mutant is shifted.
constexpr std::string_view kShifted = R"(
original (float[1, 4, 8, 8] X, float[4, 4, 3, 3] U, float[4, 4, 3, 3] V, float[4, 4, 3, 3] W)
  => (float[1, 4, 8, 8] Y) {
  a = Conv <pads = [1, 1, 1, 1]> (X, U)
  b = Relu (a)
  c = Conv <pads = [1, 1, 1, 1]> (b, V)
  d = Add (c, b)
  e = Relu (d)
  f = Conv <pads = [1, 1, 1, 1]> (e, W)
  Y = Sigmoid (f)
}
mutant (float[1, 4, 8, 8] X, float[4, 4, 3, 3] U, float[4, 4, 3, 3] V, float[4, 4, 3, 3] W)
  => (float[1, 4, 8, 8] Y) {
  a = Conv <pads = [1, 1, 1, 1]> (X, U)
  b = Relu (a)
  c = Conv <pads = [0, 0, 2, 2]> (b, V)
  d = Add (c, b)
  e = Relu (d)
  f = Conv <pads = [1, 1, 1, 1]> (e, W)
  Y = Sigmoid (f)
}
)";

// Two images in one: wrong along the seam.
constexpr std::string_view kJoined = R"(
original (float[4, 2, 8, 8] X, float[2, 2, 3, 3] W) => (float[4, 2, 8, 8] Y) {
  Y = Conv <pads = [1, 1, 1, 1]> (X, W)
}
mutant (float[4, 2, 8, 8] X, float[2, 2, 3, 3] W) => (float[4, 2, 8, 8] Y)
  <int64[5] s0 = {2, 2, 2, 8, 8}, int64[4] s1 = {2, 2, 16, 8},
   int64[5] s2 = {2, 2, 2, 8, 8}, int64[4] s3 = {4, 2, 8, 8}> {
  p = Reshape (X, s0)
  q = Transpose <perm = [0, 2, 1, 3, 4]> (p)
  r = Reshape (q, s1)
  s = Conv <pads = [1, 1, 1, 1]> (r, W)
  t = Reshape (s, s2)
  u = Transpose <perm = [0, 2, 1, 3, 4]> (t)
  Y = Reshape (u, s3)
}
)";

constexpr std::string_view kReluTwice = R"(
original (float[2, 3] X, float[3, 5] W, float[2, 5] B) => (float[2, 5] Y) {
  a = MatMul (X, W)
  b = Add (a, B)
  c = Relu (b)
  Y = Add (c, B)
}
mutant (float[2, 3] X, float[3, 5] W, float[2, 5] B) => (float[2, 5] Y) {
  a = MatMul (X, W)
  b = Add (a, B)
  c = Relu (b)
  d = Relu (c)
  Y = Add (d, B)
}
)";

Pair pair_of(std::string_view text) {
  auto programs = parse_case(text, "the test");
  REQUIRE(programs);
  return {programs->original.graph, programs->mutant.graph};
}

ProofOptions options() {
  ProofOptions out;
  out.proof_seed = "7";
  return out;
}

Verdict verdict_of(std::string_view text, const Engines& engines) {
  const auto programs = parse_case(text, "the test");
  REQUIRE(programs);
  const CaseOutcome found = check_programs(*programs, pointers(engines), {options()});
  CHECK(found.deviation.empty());
  return *found.verdict;
}

Reduced reduced_from(std::string_view text, Outcome outcome) {
  const Engines engines = default_engines();
  const Verdict verdict = verdict_of(text, engines);
  CHECK(verdict.outcome == outcome);
  const std::vector<Pair> starts = {pair_of(text)};
  auto out = reduced(starts, verdict, pointers(engines), options());
  REQUIRE(out);
  INFO(out->text);
  CHECK(verdict_of(out->text, engines).outcome == outcome);
  CHECK(out->is_finished);
  CHECK(out->to < out->from);
  CHECK(size_of(pair_of(out->text)).elements == out->to.elements);
  return *std::move(out);
}

}  // namespace

TEST_CASE("Of many operators that one stays that is at fault, and its like in the original") {
  const Reduced out = reduced_from(kShifted, Outcome::Different);
  INFO(out.text);
  CHECK(out.from.operators == 14);
  CHECK(out.to.operators == 2);
  CHECK(out.to.elements <= 16);
  CHECK(out.text.find("Conv") != std::string::npos);
}

TEST_CASE("A partial difference stays partial while extents shrink in both layouts") {
  const Reduced out = reduced_from(kJoined, Outcome::Partial);
  INFO(out.text);
  CHECK(out.to.operators <= 5);
  CHECK(out.to.elements * 16 <= out.from.elements);
}

TEST_CASE("What is not known stays unknown for the same reason") {
  const Reduced out = reduced_from(kReluTwice, Outcome::Unknown);
  INFO(out.text);
  CHECK(out.to.operators == 3);
  CHECK(out.to.elements == 1);
}

TEST_CASE("The same seed gives the same case") {
  CHECK(reduced_from(kShifted, Outcome::Different).text ==
        reduced_from(kShifted, Outcome::Different).text);
}

TEST_CASE("Engines that disagree are left with nearly nothing to disagree about") {
  Engines engines = default_engines();
  engines.push_back(std::make_unique<test::Liar>());
  const std::vector<Pair> starts = {pair_of(kShifted)};
  Verdict verdict;
  verdict.engines_disagree = true;
  const auto out = reduced(starts, verdict, pointers(engines), options());
  REQUIRE(out);
  CHECK(out->to.operators == 0);
  CHECK(out->to.elements <= 2);
}

TEST_CASE("What does not fail is not made smaller, nor what cannot be shown to fail") {
  const Engines engines = default_engines();
  const std::vector<Pair> starts = {pair_of(kShifted)};
  Verdict verdict;
  verdict.outcome = Outcome::Equivalent;
  const auto equal = reduced(starts, verdict, pointers(engines), options());
  REQUIRE(!equal);
  CHECK(equal.error().kind == ErrorKind::Usage);
  verdict.outcome = Outcome::Partial;  // it is different
  CHECK(!reduced(starts, verdict, pointers(engines), options()));
}

TEST_CASE("A limit of tries and a stop end it with what there is") {
  const Engines engines = default_engines();
  const Verdict verdict = verdict_of(kShifted, engines);
  const std::vector<Pair> starts = {pair_of(kShifted)};
  const auto out = reduced(starts, verdict, pointers(engines), options(), {.tries = 3});
  REQUIRE(out);
  CHECK(!out->is_finished);
  CHECK(out->tries == 3);
  CHECK(verdict_of(out->text, engines).outcome == Outcome::Different);
  std::stop_source stop;
  stop.request_stop();
  ProofOptions stopped = options();
  stopped.stop = stop.get_token();
  CHECK(!reduced(starts, verdict, pointers(engines), stopped));
}

TEST_CASE("Weights of files become inputs of the case") {
  const auto model = [](std::int64_t shift) {
    OnnxBuilder b;
    b.input("x", {1, 4, 6, 6});
    b.floats("w", {4, 4, 3, 3}, std::vector<float>(144, 0.5F));
    b.floats("v", {4, 4, 1, 1}, std::vector<float>(16, 0.25F));
    auto& node = b.node("Conv", {"x", "w"}, {"c"});
    auto& pads = OnnxBuilder::attribute(node, "pads", ::onnx::AttributeProto::INTS);
    for (const std::int64_t pad : {1 - shift, 1 - shift, 1 + shift, 1 + shift}) pads.add_ints(pad);
    b.node("Relu", {"c"}, {"r"});
    b.node("Conv", {"r", "v"}, {"y"});
    b.output("y", {1, 4, 6, 6});
    return b;
  };
  const ScratchFolder folder;
  const auto original = read_model(model(0).save(folder / "a.onnx"));
  const auto mutant = read_model(model(1).save(folder / "b.onnx"));
  REQUIRE(original);
  REQUIRE(mutant);
  const Engines engines = default_engines();
  const Verdict verdict = prove_files(*original, *mutant, pointers(engines), {options()});
  REQUIRE(verdict.outcome == Outcome::Different);
  const auto out =
      reduced(starts_of(*original, *mutant, options()), verdict, pointers(engines), options());
  REQUIRE(out);
  INFO(out->text);
  CHECK(out->to.operators == 2);
  CHECK(out->to.constants == 0);
  CHECK(verdict_of(out->text, engines).outcome == Outcome::Different);
}

TEST_CASE("Values are the same in both programs however they are laid out on the way") {
  const Pair pair = pair_of(kJoined);
  const auto shared = shared_values(pair, options());
  REQUIRE(shared);
  // The input, and nothing behind the seam.
  for (const NodeId id : pair.mutant.ids()) {
    const bool is_input = pair.mutant.node(id).input() != nullptr;
    CHECK(shared->of_mutant[id.index()].has_value() == is_input);
  }
  const Pair relus = pair_of(kReluTwice);
  const auto both = shared_values(relus, options());
  REQUIRE(both);
  std::size_t same = 0;
  for (const NodeId id : relus.mutant.ids())
    if (relus.mutant.node(id).op() != nullptr && both->of_mutant[id.index()]) ++same;
  CHECK(same == 3);  // up to the first Relu
}

TEST_CASE("Operands that are exchanged are the fault and stay") {
  const Reduced out = reduced_from(R"(
original (float[4, 6] X, float[4, 6] Z) => (float[4, 6] Y) { a = Sub (X, Z)  Y = Tanh (a) }
mutant (float[4, 6] X, float[4, 6] Z) => (float[4, 6] Y) { a = Sub (Z, X)  Y = Tanh (a) }
)",
                                   Outcome::Different);
  INFO(out.text);
  CHECK(out.to.operators == 2);
  CHECK(out.to.elements == 2);
}

TEST_CASE("A value never becomes an input beside something that it follows from") {
  const Pair pair = pair_of(R"(
original (float[2, 2] X) => (float[2, 2] Y) { a = Relu (X)  b = Tanh (a)  Y = Sub (b, a) }
mutant (float[2, 2] X) => (float[2, 2] Y) { a = Relu (X)  b = Tanh (a)  Y = Sub (a, b) }
)");
  const auto shared = shared_values(pair, options());
  REQUIRE(shared);
  const PairChanges cut = cut_shared(pair, *shared, Cut::Everything);
  REQUIRE(cut.original.cut.size() == 1);
  CHECK(cut.original.cut.begin()->second == "a");
  const auto made = changed(pair, cut);
  REQUIRE(made);
  CHECK(size_of(*made).operators == 4);
  CHECK(made->original.inputs().size() == 1);
}

TEST_CASE("A reshape changes group by group with its operand") {
  CHECK(reshaped({16, 2, 8, 8}, {16, 1, 8, 8}, {8, 2, 2, 8, 8}) ==
        std::vector<Shape>{{8, 2, 1, 8, 8}});
  CHECK(reshaped({8, 2, 2, 8, 8}, {8, 2, 2, 4, 8}, {8, 2, 16, 8}) ==
        std::vector<Shape>{{8, 2, 8, 8}});
  CHECK(reshaped({16, 3}, {8, 3}, {8, 2, 3}) == std::vector<Shape>{{4, 2, 3}, {8, 1, 3}});
  CHECK(reshaped({6}, {4}, {2, 3}) == std::vector<Shape>{{2, 2}});
  CHECK(reshaped({6}, {5}, {2, 3}).empty());
  CHECK(reshaped({1, 4}, {1, 2}, {4, 1}) == std::vector<Shape>{{2, 1}});
}

TEST_CASE("Reasons of one kind differ in numbers and names alone") {
  CHECK(kind_of("ill-conditioned: sums up to 3e+06 times larger") ==
        kind_of("ill-conditioned: sums up to inf times larger"));
  CHECK(kind_of("more than 5 steps") == kind_of("more than 70 steps"));
  CHECK(kind_of("input 'x' is missing") == kind_of("input 'y 2' is missing"));
  CHECK(kind_of("more than 5 steps") != kind_of("no time left"));
}
