#include "core/search/eqsat_search.h"

#include <limits>

namespace pet {
rules::NormalForm normal_form_of(const Graph& program) {
  auto out = rules::normal_form(program);
  return out ? *std::move(out) : rules::NormalForm{program, {}};
}

EqsatSearch::EqsatSearch(const Model& model, std::string target, const EqsatConfig& config,
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
void EqsatSearch::begin() {
  program_ = egraph::program_of(normal_.program);
  saturation_.emplace(program_, rewriter_, config_.limits);
  for (const std::size_t rule : refused_) saturation_->leave_out(rule);
  to_extract_ = {config_.extract};
  sink_(SaturationStarted{program_.graph.class_count(), program_.graph.node_count(),
                          rewriter_.rules().size() - refused_.size()});
}

StepStatus EqsatSearch::step(Grain) {
  if (stop_.stop_requested() || is_finished_) return StepStatus::Finished;
  if (found_.has_work()) {
    look_at_found();
  } else if (!saturation_->is_over()) {
    saturate();
  } else if (!to_extract_.empty()) {
    extract_next();
  } else {
    is_finished_ = true;
    return StepStatus::Finished;
  }
  return StepStatus::Running;
}

void EqsatSearch::saturate() {
  saturation_->step();
  ++totals_.pieces;
  if (const auto& done = saturation_->applied())
    sink_(RuleApplied{done->iteration, rewriter_.rules()[done->rule].rule.id, done->matches,
                      done->merged, done->made});
  if (saturation_->banned()) end_round();
}

void EqsatSearch::end_round() {
  const egraph::EGraph& graph = program_.graph;
  const double best = extract(egraph::Extractor::Dag);
  sink_(EGraphCounted{saturation_->iteration() - 1, graph.class_count(), graph.node_count(),
                      graph.bytes(), *saturation_->banned(), best});
  if (saturation_->is_over())
    sink_(SaturationEnded{saturation_->iteration(), std::string(to_string(*saturation_->end()))});
}

// What it costs in the graph; infinite where it is no program.
double EqsatSearch::extract(egraph::Extractor extractor) {
  const egraph::Extraction extraction = egraph::extraction_of(program_, costs_);
  const auto answer = egraph::extract(extraction.problem, extractor, &solver_,
                                      {config_.ilp_seconds, config_.seed}, stop_);
  if (stop_.stop_requested()) return 0;
  sink_(Extracted{std::string(to_string(extractor)), answer.cost, answer.bound, answer.is_optimal,
                  answer.why});
  if (!answer.cost) return std::numeric_limits<double>::infinity();
  ++totals_.proposed;
  found_.add(program_, extraction, answer.choice);
  return *answer.cost;
}

void EqsatSearch::extract_next() {
  const egraph::Extractor extractor = to_extract_.back();
  extract(extractor);
  if (stop_.stop_requested()) return;
  to_extract_.pop_back();
  ++totals_.pieces;
}

void EqsatSearch::look_at_found() {
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

void EqsatSearch::finish(StopReason reason) {
  totals_.reason = reason;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  sink_(totals_);
}

SearchProgress EqsatSearch::progress() const {
  return {config_.limits.iterations, saturation_->iteration(), totals_.pieces,
          found_.original_ms() - found_.best_ms()};
}

}  // namespace pet
