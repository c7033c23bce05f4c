#include "core/search/mcts_search.h"

namespace pet {

MctsSearch::MctsSearch(const Model& model, std::string target, const MctsConfig& config,
                       std::vector<rules::UsableRule> rules, SearchPorts ports)
    : EGraphSearch(model, std::move(target), common_of(config), std::move(rules), std::move(ports)),
      config_(config) {
  MctsSearch::begin();
}

void MctsSearch::begin() {
  egraph::Program program = original();
  egraph::TreeHooks hooks;
  hooks.reached = [this](const egraph::NodeReached& e) {
    tell(TreeNodeReached{e.node, e.parent, rule_name(e.rule), e.cost, e.is_saturated});
  };
  hooks.updated = [this](const egraph::NodeUpdated& e) {
    tell(TreeUpdated{e.node, e.visits, e.value});
  };
  hooks.taken = [this](const egraph::ActionTaken& e) {
    tell(ActionChosen{e.node, rule_name(e.rule), e.mean});
  };
  tree_.emplace(
      std::move(program), rewriter(), refused(), config_.limits, config_.tree, config_.seed,
      [this](const egraph::Program& of) { return cost_of(of); }, std::move(hooks));
}

// By the main extractor; where what it chose is no program, by the tree's.
double MctsSearch::cost_of(const egraph::Program& program) {
  const auto extraction = extraction_of(program);
  for (const egraph::Extractor extractor : {config_.main_extract, egraph::Extractor::Tree})
    if (const auto answer = asked(extraction, extractor); answer.cost) return *answer.cost;
  return 0;  // unreachable: a tree is always a program
}

void MctsSearch::grow() {
  const std::size_t actions = tree_->actions();
  tree_->step();
  count_piece();
  if (tree_->actions() != actions) {
    const egraph::EGraph& graph = program().graph;
    tell(EGraphCounted{tree_->actions() - 1, graph.class_count(), graph.node_count(), graph.bytes(),
                       0, cost_of(program())});
    extract_next(egraph::Extractor::Dag);
  }
  if (!tree_->is_over()) return;
  tell(SaturationEnded{tree_->actions(), std::string(to_string(*tree_->end()))});
  extract_next(config_.extract);
}

}  // namespace pet
