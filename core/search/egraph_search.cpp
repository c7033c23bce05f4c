#include "core/search/egraph_search.h"

namespace pet {
namespace {

// Before anything else: operators may be measured while a search is made.
EventSink begun(EventSink sink, const SearchStarted& start) {
  sink(start);
  return sink;
}

}  // namespace

rules::NormalForm normal_form_of(const Graph& program) {
  auto out = rules::normal_form(program);
  return out ? *std::move(out) : rules::NormalForm{program, {}};
}

EGraphSearch::EGraphSearch(const Model& model, std::string target, const Common& common,
                           std::vector<rules::UsableRule> rules, SearchPorts ports)
    : common_(common),
      sink_(begun(std::move(ports.sink),
                  SearchStarted{model.path.filename().string(), model.digest.hex(),
                                std::move(target), common.seed, 0})),
      stop_(ports.stop),
      solver_(ports.solver, sink_),
      normal_(normal_form_of(model.graph)),
      rewriter_(std::move(rules)),
      operator_costs_(common.measured_costs ? ports.costs : nullptr, common.threads, sink_,
                      ports.stop),
      costs_(operator_costs_, has_own_layout(model.graph)),
      found_(
          model, normal_, rewriter_,
          ShownInstances(ports.checker, common.log2_error, common.threads, ports.stop),
          [this](const Graph& program) { return sum_ms(program, operator_costs_); }, common.plans) {
}

egraph::Program EGraphSearch::original() {
  egraph::Program out = egraph::program_of(normal_.program);
  sink_(SaturationStarted{out.graph.class_count(), out.graph.node_count(),
                          rewriter_.rules().size() - refused_.size()});
  return out;
}

StepStatus EGraphSearch::step(Grain) {
  if (stop_.stop_requested() || is_finished_) return StepStatus::Finished;
  if (found_.has_work()) {
    look_at_found();
  } else if (to_extract_) {
    extract_what_is_next();
  } else if (!is_grown()) {
    grow();
  } else {
    is_finished_ = true;
    return StepStatus::Finished;
  }
  return StepStatus::Running;
}

egraph::ExtractorAnswer EGraphSearch::asked(const egraph::Extraction& extraction,
                                            egraph::Extractor extractor) {
  return egraph::extract(extraction.problem, extractor, &solver_,
                         {common_.ilp_seconds, common_.seed}, stop_);
}

std::optional<double> EGraphSearch::extract(egraph::Extractor extractor) {
  const egraph::Extraction extraction = extraction_of(program());
  const auto answer = asked(extraction, extractor);
  if (stop_.stop_requested()) return std::nullopt;
  sink_(Extracted{std::string(to_string(extractor)), answer.cost, answer.bound, answer.is_optimal,
                  answer.why});
  if (!answer.cost) return std::nullopt;
  ++totals_.proposed;
  found_.add(program(), extraction, answer.choice);
  return answer.cost;
}

// As a whole or not at all: what a stop cuts short has not happened.
void EGraphSearch::extract_what_is_next() {
  extract(*to_extract_);
  if (stop_.stop_requested()) return;
  to_extract_.reset();
  ++totals_.pieces;
}

void EGraphSearch::look_at_found() {
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
  to_extract_.reset();
  begin();
}

void EGraphSearch::finish(StopReason reason) {
  totals_.reason = reason;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  sink_(totals_);
}

SearchProgress EGraphSearch::progress_at(std::size_t all, std::size_t done) const {
  return {all, done, totals_.pieces, found_.original_ms() - found_.best_ms()};
}

}  // namespace pet
