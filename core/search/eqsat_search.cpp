#include "core/search/eqsat_search.h"

#include <limits>

namespace pet {

EqsatSearch::EqsatSearch(const Model& model, std::string target, const EqsatConfig& config,
                         std::vector<rules::UsableRule> rules, SearchPorts ports)
    : EGraphSearch(model, std::move(target), common_of(config), std::move(rules), std::move(ports)),
      config_(config) {
  EqsatSearch::begin();
}

void EqsatSearch::begin() {
  program_ = original();
  saturation_.emplace(program_, rewriter(), config_.limits);
  for (const std::size_t rule : refused()) saturation_->leave_out(rule);
}

void EqsatSearch::grow() {
  saturation_->step();
  count_piece();
  if (const auto& done = saturation_->applied())
    tell(RuleApplied{done->iteration, rule_name(done->rule), done->matches, done->merged,
                     done->made});
  if (saturation_->banned()) end_round();
}

void EqsatSearch::end_round() {
  const egraph::EGraph& graph = program_.graph;
  const auto best = extract(egraph::Extractor::Dag);
  tell(EGraphCounted{saturation_->iteration() - 1, graph.class_count(), graph.node_count(),
                     graph.bytes(), *saturation_->banned(),
                     best.value_or(std::numeric_limits<double>::infinity())});
  if (!saturation_->is_over()) return;
  tell(SaturationEnded{saturation_->iteration(), std::string(to_string(*saturation_->end()))});
  extract_next(config_.extract);
}

}  // namespace pet
