// What is drawn of a search in e-graphs comes out of its journal.
#include "core/run/growth_record.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/backend/estimating_profiler.h"
#include "core/search/eqsat_search.h"
#include "core/search/journal.h"
#include "core/search/mcts_search.h"
#include "tests/core/search/rule_texts.h"
#include "verify/pairs/search_checker.h"

namespace pet {
namespace {

constexpr double kExploration = 2;

// As a journal holds them: written and read again.
template <class Kind, class Config>
std::vector<Event> journaled(const Config& config, bool all) {
  const Model model = test::two_places();
  SearchChecker checker;
  EstimatingProfiler profiler;
  std::vector<Event> out;
  Kind search(model, "test", config, {test::usable(test::factored())},
              {checker,
               profiler,
               [&](const Event& event) {
                 if (all || is_journaled(event)) out.push_back(event);
               },
               {}});
  while (search.step(Grain::Node) == StepStatus::Running) {
  }
  search.finish(StopReason::Finished);
  return out;
}

EqsatConfig saturating() {
  EqsatConfig out;
  out.extract = egraph::Extractor::Dag;
  return out;
}
MctsConfig walking() {
  MctsConfig out;
  out.extract = egraph::Extractor::Dag;
  out.tree.budget = 8;
  out.tree.exploration = kExploration;
  return out;
}

TEST_CASE("Rounds add up: what rules made, what was there, what was cheapest") {
  const auto growth = growth_of(journaled<EqsatSearch>(saturating(), false), kExploration);
  REQUIRE(growth.size() == 1);
  const GrowthRecord& one = growth.front();
  CHECK(one.nodes > 0);
  REQUIRE(one.rounds.size() >= 2);
  std::size_t made = 0;
  double best = one.rounds.front().best_ms;
  for (const RoundRecord& round : one.rounds) {
    made += round.made;
    CHECK(round.nodes >= one.nodes);
    CHECK(round.nodes <= one.nodes + made);
    CHECK(round.best_ms <= best);
    best = round.best_ms;
  }
  CHECK(made > 0);
  CHECK(one.rounds.back().made == 0);  // saturated
  REQUIRE_FALSE(one.extracted.empty());
  CHECK(one.extracted.back().cost_ms == Approx(best));
  CHECK_FALSE(one.end.empty());
}

TEST_CASE("Of a tree the journal has nodes, parents and costs; a replay their visits and values") {
  for (const bool all : {false, true}) {
    const auto growth = growth_of(journaled<MctsSearch>(walking(), all), kExploration);
    REQUIRE(growth.size() == 1);
    const GrowthRecord& one = growth.front();
    CHECK_FALSE(one.actions.empty());
    REQUIRE(one.tree.size() >= 2);
    std::size_t rated = 0;
    for (const TreeNodeRecord& node : one.tree) {
      if (!node.parent) continue;
      CHECK(*node.parent < one.tree.size());
      CHECK(node.rule == "factored");
      if (!node.ucb) continue;
      ++rated;
      const auto n = static_cast<double>(node.visits);
      const auto above = static_cast<double>(one.tree[*node.parent].visits);
      CHECK(*node.ucb == Approx(node.value / n + kExploration * std::sqrt(std::log(above) / n)));
    }
    CHECK((rated > 0) == all);
  }
}

TEST_CASE("Numbers in a journal that no tree has are left out") {
  const std::vector<Event> events = {
      SaturationStarted{1, 1, 1}, TreeNodeReached{SIZE_MAX, 0, "r", 1, false},
      TreeNodeReached{1, SIZE_MAX, "r", 1, false}, TreeUpdated{1, 3, 0.5}};
  const auto growth = growth_of(events, kExploration);
  REQUIRE(growth.size() == 1);
  CHECK(growth[0].tree.size() == 2);
  CHECK_FALSE(growth[0].tree[1].ucb);
  CHECK(growth_of({}, kExploration).empty());
}

}  // namespace
}  // namespace pet
