// Equal blocks are searched once, and what is found is made in all of them.
#include "core/search/block_search.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "core/backend/estimating_profiler.h"
#include "core/search/eqsat_search.h"
#include "core/search/journal.h"
#include "core/search/taso_search.h"
#include "tests/core/search/rule_texts.h"
#include "verify/pairs/search_checker.h"

using namespace pet;

namespace {

constexpr std::size_t kLayers = 4;

// Layers with a place each, and one operator behind them.
Model layers() {
  test::NamedModel m;
  NodeId x = m.input();
  for (std::size_t i = 0; i < kLayers; ++i) {
    NodeId y = m.place(x);
    for (int k = 0; k < 2; ++k) y = m.op(ops::neg(), {m.op(ops::tanh(), {y})});
    x = m.op(ops::add(), {y, x});
  }
  return m.finish(m.op(ops::relu(), {x}), "layers.onnx");
}

struct BlocksRan {
  std::vector<Event> events;
  std::vector<Plan> plans;

  template <class E>
  std::vector<E> all() const {
    std::vector<E> out;
    for (const Event& event : events)
      if (const auto* one = std::get_if<E>(&event)) out.push_back(*one);
    return out;
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const Event& event : events)
      if (is_journaled(event)) out.push_back(line_of(event));
    return out;
  }
};

template <class Kind, class Config>
SearchFactory made_by(const std::vector<std::string>& texts) {
  std::vector<rules::UsableRule> rules;
  for (const std::string& text : texts) rules.push_back(test::usable(text));
  return [rules](const Model& model, std::string target, const AnySearchConfig& config,
                 SearchPorts ports) -> std::unique_ptr<Search> {
    return std::make_unique<Kind>(model, std::move(target), std::get<Config>(config), rules,
                                  std::move(ports));
  };
}

BlocksRan run_blocks(const Model& model, const SearchFactory& factory,
                     const AnySearchConfig& config, std::size_t most_steps = SIZE_MAX) {
  BlocksRan out;
  SearchChecker checker;
  EstimatingProfiler profiler;
  const auto search =
      factory(model, "test", config,
              {checker, profiler, [&](const Event& e) { out.events.push_back(e); }, {}});
  for (std::size_t i = 0; i < most_steps && search->step(Grain::Node) == StepStatus::Running; ++i) {
  }
  CHECK(search->is_finished() == (most_steps == SIZE_MAX));
  out.plans = search->best();
  search->finish(StopReason::Finished);
  return out;
}

EqsatConfig in_egraph() {
  EqsatConfig out;
  out.extract = egraph::Extractor::Dag;
  return out;
}

void check_is_right(const Model& model, const Plan& plan) {
  const Graph whole = test::made(model, plan);
  SearchChecker checker;
  ProofOptions options;
  options.bind_weights = true;
  CHECK(claims_equality(checker.check(model.graph, whole, options).outcome));
}

TEST_CASE("What is found in one of equal blocks is made in all of them, with their own weights") {
  const Model model = layers();
  const auto taso = made_by<TasoSearch, TasoConfig>({test::factored()});
  const auto eqsat_search = made_by<EqsatSearch, EqsatConfig>({test::factored()});
  const BlocksRan ran[] = {run_blocks(model, block_by_block(taso), TasoConfig{}),
                           run_blocks(model, block_by_block(eqsat_search), in_egraph())};
  for (const BlocksRan& one : ran) {
    const auto blocks = one.all<BlockTaken>();
    REQUIRE(blocks.size() == 2);  // the layers, and what is behind them
    CHECK(blocks[0].places.size() == kLayers);
    CHECK(blocks[1].places.size() == 1);
    CHECK(one.all<SearchStarted>().size() == 1);
    REQUIRE(one.all<SearchFinished>().size() == 1);
    REQUIRE_FALSE(one.plans.empty());
    const Plan& best = one.plans.front();
    CHECK(one.all<SearchFinished>()[0].chosen == kLayers);
    REQUIRE(best.choices.size() == kLayers);
    std::set<std::string> places, applied;
    double saved = 0;
    for (const Choice& choice : best.choices) {
      CHECK(choice.saved_ms > 0);
      saved += choice.saved_ms;
      CHECK(places.insert(choice.place).second);
      REQUIRE(choice.mutant.moves.size() == 1);
      applied.insert(std::get<move::ApplyRule>(choice.mutant.moves[0]).place);
    }
    CHECK(applied.size() == kLayers);
    CHECK(best.saved_ms == Approx(saved));
    CHECK(one.all<BestImproved>().back().saved_ms == Approx(saved));
    check_is_right(model, best);
  }
}

TEST_CASE("A whole program without equal blocks is searched as if nobody had looked for them") {
  const Model model = test::two_places();
  const auto taso = made_by<TasoSearch, TasoConfig>({test::factored()});
  CHECK(run_blocks(model, block_by_block(taso), TasoConfig{}).lines() ==
        run_blocks(model, taso, TasoConfig{}).lines());
}

TEST_CASE(
    "A search of blocks that is stopped on the way has what it found, and goes the same way") {
  const Model model = layers();
  const auto factory = block_by_block(made_by<TasoSearch, TasoConfig>({test::factored()}));
  const auto whole = run_blocks(model, factory, TasoConfig{}).lines();
  CHECK(run_blocks(model, factory, TasoConfig{}).lines() == whole);
  for (std::size_t steps = 0; steps < 8; ++steps) {
    const BlocksRan part = run_blocks(model, factory, TasoConfig{}, steps);
    const auto lines = part.lines();
    // All but its last line, which says how far it came.
    REQUIRE(lines.size() <= whole.size());
    CHECK(std::equal(lines.begin(), lines.end() - 1, whole.begin()));
    for (const Plan& plan : part.plans) check_is_right(model, plan);
  }
}

}  // namespace
