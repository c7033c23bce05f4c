// TASO's search over small programs: what it reaches, what it drops, and what it makes of rules
// that are wrong.
#include "core/search/taso_search.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/backend/estimating_profiler.h"
#include "core/search/journal.h"
#include "tests/core/search/rule_texts.h"
#include "tests/support/sketch.h"
#include "verify/pairs/search_checker.h"

using namespace pet;
using test::Sketch;

namespace {

using test::binary;
using test::exchanged;
using test::factored;
using test::kA;
using test::kB;
using test::kC;
using test::loses_an_operand;
using test::rule;
using test::two_places;
using test::usable;

struct Searched {
  std::vector<Event> events;
  std::vector<Plan> plans;
  bool is_finished = false;

  template <class E>
  std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        events, [](const Event& event) { return std::holds_alternative<E>(event); }));
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const Event& event : events)
      if (is_journaled(event)) out.push_back(line_of(event));
    return out;
  }
};

Searched searched(const Model& model, const std::vector<std::string>& texts,
                  TasoConfig config = {}) {
  std::vector<rules::UsableRule> rules;
  for (const std::string& text : texts) rules.push_back(usable(text));
  Searched out;
  SearchChecker checker;
  EstimatingProfiler profiler;
  TasoSearch search(
      model, "estimates", config, std::move(rules),
      {checker, profiler, [&](const Event& event) { out.events.push_back(event); }, {}});
  while (search.step(Grain::Node) == StepStatus::Running) {
  }
  search.finish(StopReason::Finished);
  out.plans = search.best();
  out.is_finished = search.is_finished();
  return out;
}

TEST_CASE("A rule is applied wherever it saves something, and each place is a choice") {
  const Model model = two_places();
  const Searched done = searched(model, {factored()});
  CHECK(done.is_finished);
  CHECK(done.count<RuleRefused>() == 0);
  REQUIRE_FALSE(done.plans.empty());
  const Plan& best = done.plans.front();
  REQUIRE(best.choices.size() == 2);
  CHECK(best.saved_ms > 0);
  for (const Choice& choice : best.choices) {
    REQUIRE(choice.mutant.moves.size() == 1);
    CHECK(std::get<move::ApplyRule>(choice.mutant.moves[0]).rule == "factored");
    CHECK(choice.saved_ms > 0);
  }
  const Graph whole = test::made(model, best);
  SearchChecker checker;
  ProofOptions options;
  options.bind_weights = true;
  CHECK(claims_equality(checker.check(model.graph, whole, options).outcome));
}

std::string associated() {
  return rule("associated", binary("matmul", kA, kB) + ", " + binary("matmul", R"({"op": 0})", kC),
              1, binary("matmul", kB, kC) + ", " + binary("matmul", kA, R"({"op": 0})"), 1);
}

// One product by a weight, read by four others: it is needless once all of them were rewritten.
TEST_CASE("What pays only once a rule was applied at several places is found along one way") {
  GraphBuilder b;
  Rng rng(5);
  const Shape shape = {24, 24};
  const NodeId x = b.add_input("x", float_tensor(shape));
  const NodeId y = *b.add(ops::mat_mul(), {}, {x, test::normal_weight(b, shape, rng)}, "y");
  constexpr int kReaders = 4;
  for (int i = 0; i < kReaders; ++i) {
    const std::string number = std::to_string(i);
    const NodeId z =
        *b.add(ops::mat_mul(), {}, {y, test::normal_weight(b, shape, rng)}, "z" + number);
    b.add_output(*b.add(ops::tanh(), {}, {z}, "out" + number));
  }
  Model model;
  model.graph = std::move(b).build();
  model.path = "readers.onnx";
  TasoConfig hurried;
  hurried.states = kReaders;
  const Searched done = searched(model, {associated()}, hurried);
  CHECK(done.count<StateTaken>() == kReaders);
  REQUIRE_FALSE(done.plans.empty());
  CHECK(done.plans.front().saved_ms > 0);
}

TEST_CASE("A rule that is wrong at the shapes of a place is told and used no more") {
  const Searched done = searched(two_places(), {loses_an_operand()});
  CHECK(done.plans.empty());
  CHECK(done.count<StateReached>() == 0);
  REQUIRE(done.count<RuleRefused>() == 1);
  for (const Event& event : done.events) {
    const auto* refused = std::get_if<RuleRefused>(&event);
    if (refused == nullptr) continue;
    CHECK(refused->rule == "wrong");
    CHECK(refused->outcome != Outcome::Equivalent);
  }
  CHECK(searched(two_places(), {loses_an_operand(), factored()}).plans.size() > 0);
}

TEST_CASE("The same expressions in another order are no new program") {
  Sketch s;
  const NodeId a = s.input("a", {4, 4});
  const NodeId b = s.input("b", {4, 4});
  const NodeId c = s.input("c", {4, 4});
  Model model;
  model.graph = std::move(s).finish({s.op("Add", {s.op("Add", {a, b}), c})});
  const Searched done = searched(model, {exchanged()});
  CHECK(done.is_finished);
  CHECK(done.count<StateReached>() == 0);
}

TEST_CASE("A program that is reached in two ways is gone on with once") {
  TasoConfig patient;
  patient.alpha = 2;
  const Searched done = searched(two_places(), {factored()}, patient);
  CHECK(done.count<StateReached>() == 3);  // either place, then both
  const auto again = std::ranges::count_if(done.events, [](const Event& event) {
    const auto* dropped = std::get_if<StateDropped>(&event);
    return dropped != nullptr && dropped->why == StateDrop::SeenBefore;
  });
  CHECK(again > 0);
  CHECK(done.count<StateTaken>() == 4);
}

TEST_CASE("The search does the same again, ends at its limit, and goes on while there is more") {
  const Model model = two_places();
  const Searched once = searched(model, {factored()});
  CHECK(searched(model, {factored()}).lines() == once.lines());
  TasoConfig short_one;
  short_one.states = 1;
  const Searched limited = searched(model, {factored()}, short_one);
  CHECK_FALSE(limited.is_finished);
  CHECK(limited.count<StateTaken>() == 1);
  CHECK(limited.plans.front().choices.size() == 1);
}

TEST_CASE("A search that is stopped takes no step, and what it found stays") {
  const Model model = two_places();
  std::stop_source stop;
  SearchChecker checker;
  EstimatingProfiler profiler;
  std::size_t told = 0;
  TasoSearch search(model, "estimates", {}, {usable(factored())},
                    {checker, profiler, [&](const Event&) { ++told; }, stop.get_token()});
  while (search.best().empty()) REQUIRE(search.step(Grain::Node) == StepStatus::Running);
  stop.request_stop();
  const std::size_t before = told;
  CHECK(search.step(Grain::Node) == StepStatus::Finished);
  CHECK(told == before);
  CHECK_FALSE(search.is_finished());
  CHECK(search.best().size() == 1);
}

}  // namespace
