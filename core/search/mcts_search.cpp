#include "core/search/mcts_search.h"

namespace pet {

MctsSearch::MctsSearch(const Model& model, std::string target, const MctsConfig& config,
                       std::vector<rules::UsableRule> rules, SearchPorts ports)
    : config_(config),
      sink_(std::move(ports.sink)),
      stop_(ports.stop),
      solver_(ports.solver, sink_),
      normal_(normal_form_of(model.graph)),
      rewriter_(std::move(rules)),
      operator_costs_(estimated_costs(config.threads)),
      costs_(*operator_costs_, has_own_layout(model.graph)),
      found_(
          model, normal_, rewriter_,
          ShownInstances(ports.checker, config.log2_error, config.threads, ports.stop),
          [this](const Graph& program) { return sum_ms(program, *operator_costs_); },
          config.plans) {
  sink_(SearchStarted{model.path.filename().string(), model.digest.hex(), std::move(target),
                      config.seed, 0});
  begin();
}

// Also where a rule was refused: nothing of what it brought about is left.
void MctsSearch::begin() {
  egraph::Program program = egraph::program_of(normal_.program);
  sink_(SaturationStarted{program.graph.class_count(), program.graph.node_count(),
                          rewriter_.rules().size() - refused_.size()});
  egraph::TreeHooks hooks;
  hooks.reached = [this](const egraph::NodeReached& e) {
    sink_(TreeNodeReached{e.node, e.parent, rule_name(e.rule), e.cost, e.is_saturated});
  };
  hooks.updated = [this](const egraph::NodeUpdated& e) {
    sink_(TreeUpdated{e.node, e.visits, e.value});
  };
  hooks.taken = [this](const egraph::ActionTaken& e) {
    sink_(ActionChosen{e.node, rule_name(e.rule), e.mean});
  };
  tree_.emplace(
      std::move(program), rewriter_, refused_, config_.limits, config_.tree, config_.seed,
      [this](const egraph::Program& of) { return cost_of(of); }, std::move(hooks));
  to_extract_.clear();
}

// By the main extractor; where what it chose is no program, by the tree's.
double MctsSearch::cost_of(const egraph::Program& program) {
  const auto extraction = egraph::extraction_of(program, costs_);
  for (const egraph::Extractor extractor : {config_.main_extract, egraph::Extractor::Tree}) {
    const auto answer = egraph::extract(extraction.problem, extractor, &solver_,
                                        {config_.ilp_seconds, config_.seed}, stop_);
    if (answer.cost) return *answer.cost;
  }
  return 0;  // unreachable: a tree is always a program
}

StepStatus MctsSearch::step(Grain) {
  if (stop_.stop_requested() || is_finished_) return StepStatus::Finished;
  if (found_.has_work()) {
    look_at_found();
  } else if (!to_extract_.empty()) {
    extract_next();
  } else if (!tree_->is_over()) {
    grow();
  } else {
    is_finished_ = true;
    return StepStatus::Finished;
  }
  return StepStatus::Running;
}

void MctsSearch::grow() {
  const std::size_t actions = tree_->actions();
  tree_->step();
  ++totals_.pieces;
  if (tree_->actions() != actions) {
    const egraph::EGraph& graph = tree_->program().graph;
    to_extract_ = {egraph::Extractor::Dag};
    sink_(EGraphCounted{tree_->actions() - 1, graph.class_count(), graph.node_count(),
                        graph.bytes(), 0, cost_of(tree_->program())});
  }
  if (!tree_->is_over()) return;
  to_extract_ = {config_.extract};
  sink_(SaturationEnded{tree_->actions(), std::string(to_string(*tree_->end()))});
}

void MctsSearch::extract_next() {
  if (!extract(to_extract_.back())) return;
  to_extract_.pop_back();
  ++totals_.pieces;
}

// False: a stop cut it short.
bool MctsSearch::extract(egraph::Extractor extractor) {
  const auto extraction = egraph::extraction_of(tree_->program(), costs_);
  const auto answer = egraph::extract(extraction.problem, extractor, &solver_,
                                      {config_.ilp_seconds, config_.seed}, stop_);
  if (stop_.stop_requested()) return false;
  sink_(Extracted{std::string(to_string(extractor)), answer.cost, answer.bound, answer.is_optimal,
                  answer.why});
  ++totals_.proposed;
  if (answer.cost) found_.add(tree_->program(), extraction, answer.choice);
  return true;
}

void MctsSearch::look_at_found() {
  const auto looked = found_.step();
  if (looked.was_stopped) return;
  ++totals_.pieces;
  totals_.verified += static_cast<std::size_t>(looked.was_new);
  if (looked.way) {
    const double saved = found_.original_ms() - found_.best_ms();
    sink_(WayFound{saved, *looked.way});
    sink_(BestImproved{0, {}, saved});
  }
  if (!looked.refused) return;
  sink_(*looked.refused);
  refused_.insert(looked.rule);
  begin();
}

void MctsSearch::finish(StopReason reason) {
  totals_.reason = reason;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  sink_(totals_);
}

SearchProgress MctsSearch::progress() const {
  return {config_.tree.budget, tree_->walks(), totals_.pieces,
          found_.original_ms() - found_.best_ms()};
}

}  // namespace pet
