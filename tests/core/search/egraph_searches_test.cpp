// Searches in e-graphs over small programs: what they find, what they do with rules that are wrong,
// and that they can be run again.
#include <catch2/catch.hpp>

#include "core/backend/estimating_profiler.h"
#include "core/search/eqsat_search.h"
#include "core/search/journal.h"
#include "core/search/mcts_search.h"
#include "tests/core/search/rule_texts.h"
#include "verify/pairs/search_checker.h"

using namespace pet;

namespace {

EqsatConfig eqsat() {
  EqsatConfig out;
  out.extract = egraph::Extractor::Dag;
  return out;
}
MctsConfig mcts() {
  MctsConfig out;
  out.extract = egraph::Extractor::Dag;
  out.tree.budget = 8;
  return out;
}

struct Ran {
  std::vector<Event> events;
  std::vector<Plan> plans;

  template <class E>
  std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        events, [](const Event& event) { return std::holds_alternative<E>(event); }));
  }
};

template <class Kind, class Config>
Ran run(const Model& model, const Config& config, const std::vector<rules::UsableRule>& rules,
        egraph::IlpSolver* solver = nullptr) {
  Ran out;
  SearchChecker checker;
  EstimatingProfiler profiler;
  Kind search(model, "test", config, rules,
              {checker, profiler, [&](const Event& e) { out.events.push_back(e); }, {}, solver});
  while (search.step(Grain::Node) == StepStatus::Running) {
  }
  CHECK(search.is_finished());
  out.plans = search.best();
  search.finish(StopReason::Finished);
  return out;
}

void check_finds_both_places(const Model& model, const Ran& done) {
  REQUIRE_FALSE(done.plans.empty());
  const Plan& best = done.plans.front();
  CHECK(best.choices.size() == 2);
  CHECK(best.saved_ms > 0);
  const Graph written = test::made(model, best);
  EstimatedCosts costs;
  CHECK(sum_ms(written, costs) < sum_ms(model.graph, costs));
  ProofOptions options;
  options.bind_weights = true;
  CHECK(SearchChecker().check(model.graph, written, options).outcome == Outcome::Equivalent);
  for (const Choice& choice : best.choices) {
    REQUIRE_FALSE(choice.mutant.moves.empty());
    CHECK(std::get<move::ApplyRule>(choice.mutant.moves.front()).rule == "factored");
  }
}

TEST_CASE("Both searches find both places and say by which rule") {
  const Model model = test::two_places();
  const std::vector rules = {test::usable(test::factored()), test::usable(test::exchanged())};
  check_finds_both_places(model, run<EqsatSearch>(model, eqsat(), rules));
  check_finds_both_places(model, run<MctsSearch>(model, mcts(), rules));
}

// Wrong, and cheaper than what is right: the data is lost, and what is left is computed ahead of
// time.
std::string loses_the_data() {
  return test::rule("wrong",
                    test::binary("matmul", test::kA, test::kB) + ", " +
                        test::binary("matmul", test::kA, test::kC) + ", " +
                        test::binary("ewadd", R"({"op": 0})", R"({"op": 1})"),
                    2, test::binary("ewadd", test::kB, test::kC), 0);
}

TEST_CASE("A rule that is wrong is refused, and nothing of what it brought about is left") {
  const Model model = test::two_places();
  const std::vector rules = {test::usable(loses_the_data()), test::usable(test::factored())};
  const auto check = [&](const Ran& done) {
    REQUIRE(done.count<RuleRefused>() == 1);
    for (const Event& event : done.events) {
      if (const auto* refused = std::get_if<RuleRefused>(&event)) CHECK(refused->rule == "wrong");
    }
    check_finds_both_places(model, done);
  };
  check(run<EqsatSearch>(model, eqsat(), rules));
  check(run<MctsSearch>(model, mcts(), rules));
}

// A value that a rule finds again under another name, and that two outputs are.
TEST_CASE("Values that become one keep what reads them, and outputs are what they were") {
  GraphBuilder b;
  const auto op = [&](const OpDef& def, Attrs attrs, std::vector<NodeId> operands,
                      const std::string& name) {
    return *b.add(def, std::move(attrs), std::move(operands), name);
  };
  const Attrs turn = {{"perm", Ints{1, 0}}};
  const NodeId x = b.add_input("x", float_tensor({24, 16}));
  const NodeId a = op(ops::tanh(), {}, {x}, "a");
  const NodeId once = op(ops::transpose(), turn, {a}, "once");
  const NodeId twice = op(ops::transpose(), turn, {once}, "twice");
  b.add_output(op(ops::relu(), {}, {twice}, "y"));
  b.add_output(twice);
  b.add_output(a);
  Model model;
  model.graph = std::move(b).build();
  model.path = "turned.onnx";
  const std::string turned = R"({"id": "turned", "inputs": [{"name": "x", "rank": 2}],
    "source": {"ops": [
      {"op": "transpose", "inputs": [{"in": "x"}], "attrs": {"perm": [1, 0]}},
      {"op": "transpose", "inputs": [{"op": 0}], "attrs": {"perm": [1, 0]}}],
      "outputs": [{"op": 1}]},
    "target": {"ops": [], "outputs": [{"in": "x"}]}})";
  for (const Ran& done : {run<EqsatSearch>(model, eqsat(), {test::usable(turned)}),
                          run<MctsSearch>(model, mcts(), {test::usable(turned)})}) {
    for (const Plan& plan : done.plans) {
      const Graph written = test::made(model, plan);
      REQUIRE(written.outputs().size() == 3);
      CHECK(SearchChecker().check(model.graph, written, {}).outcome == Outcome::Equivalent);
    }
  }
}

TEST_CASE("Where no rule fits nothing is found") {
  const Model model = test::two_places();
  CHECK(run<EqsatSearch>(model, eqsat(), {}).plans.empty());
  CHECK(run<MctsSearch>(model, mcts(), {}).plans.empty());
}

TEST_CASE("Without a solver the best choice that is known is taken, and the reason told") {
  const Model model = test::two_places();
  EqsatConfig config = eqsat();
  config.extract = egraph::Extractor::Ilp;
  const Ran done = run<EqsatSearch>(model, config, {test::usable(test::factored())});
  check_finds_both_places(model, done);
  bool told = false;
  for (const Event& event : done.events) {
    const auto* extracted = std::get_if<Extracted>(&event);
    if (extracted == nullptr || extracted->extractor != "ilp") continue;
    told = true;
    CHECK_FALSE(extracted->is_optimal);
    CHECK(extracted->why == "there is no solver of integer programs");
  }
  CHECK(told);
}

// Answers with an Error once, so that a second question would be noticed.
class Once final : public egraph::IlpSolver {
 public:
  Result<egraph::IlpAnswer> solve(const egraph::IlpModel& model, const std::vector<double>&,
                                  const egraph::IlpLimits&, std::stop_token) override {
    ++asked;
    return egraph::IlpAnswer{egraph::IlpEnd::OutOfTime,
                             std::vector<double>(model.columns.size(), 0.25), 0.125, 1.5};
  }
  int asked = 0;
};

TEST_CASE("What a solver said is said again from the record") {
  const Model model = test::two_places();
  EqsatConfig config = eqsat();
  config.extract = egraph::Extractor::Ilp;
  Once live;
  const std::vector rules = {test::usable(test::factored())};
  const Ran first = run<EqsatSearch>(model, config, rules, &live);
  CHECK(live.asked == 1);
  std::vector<SolverAnswered> told;
  for (const Event& event : first.events)
    if (const auto* answer = std::get_if<SolverAnswered>(&event)) told.push_back(*answer);
  REQUIRE(told.size() == 1);
  ReplayedSolver recorded(told, nullptr);
  const Ran again = run<EqsatSearch>(model, config, rules, &recorded);
  CHECK(live.asked == 1);
  REQUIRE(again.events.size() == first.events.size());
  for (std::size_t i = 0; i < first.events.size(); ++i)
    CHECK(line_of(again.events[i]) == line_of(first.events[i]));
}

TEST_CASE("The same seed does the same") {
  const Model model = test::two_places();
  const std::vector rules = {test::usable(test::factored()), test::usable(test::exchanged())};
  const auto lines = [](const Ran& done) {
    std::string out;
    for (const Event& event : done.events) out += line_of(event) + "\n";
    return out;
  };
  CHECK(lines(run<MctsSearch>(model, mcts(), rules)) ==
        lines(run<MctsSearch>(model, mcts(), rules)));
  CHECK(lines(run<EqsatSearch>(model, eqsat(), rules)) ==
        lines(run<EqsatSearch>(model, eqsat(), rules)));
}

}  // namespace
