// Equality saturation as a search of whole programs (TENSAT, MLSys'21): the model's e-graph grows
// by rules, round by round; after each the cheapest program that it holds is extracted quickly, and
// at the end by the extractor that was asked for. Programs are plans once every instance of a rule
// on the way to them is shown equal; whoever accepts them measures and proves whole files.
#pragma once

#include <memory>
#include <optional>

#include "core/egraph/extract/extractor.h"
#include "core/egraph/saturation.h"
#include "core/search/found_programs.h"
#include "core/search/recorded_solver.h"

namespace pet {

class EqsatSearch final : public Search {
 public:
  // `rules`: those that the configuration names.
  EqsatSearch(const Model& model, std::string target, const EqsatConfig& config,
              std::vector<rules::UsableRule> rules, SearchPorts ports);

  // One rule looked for or applied, one extraction, or one instance of a rule looked at, whatever
  // the grain.
  StepStatus step(Grain grain) override;
  std::vector<Plan> best() const override { return found_.plans(); }
  void finish(StopReason reason) override;
  bool is_finished() const override { return is_finished_; }
  SearchProgress progress() const override;

  // What it has come to, for whoever looks on.
  const egraph::Program& program() const { return program_; }

 private:
  void begin();
  void saturate();
  void end_round();
  void look_at_found();
  void extract_next();
  double extract(egraph::Extractor extractor);

  const EqsatConfig config_;
  EventSink sink_;
  std::stop_token stop_;
  TellingSolver solver_;
  const rules::NormalForm normal_;  // of the model
  rules::Rewriter rewriter_;
  const std::unique_ptr<OperatorCosts> operator_costs_;
  const egraph::Costs costs_;
  FoundPrograms found_;
  egraph::Program program_;
  std::optional<egraph::Saturation> saturation_;
  std::set<std::size_t> refused_;              // rules
  std::vector<egraph::Extractor> to_extract_;  // at the end, last first
  bool is_finished_ = false;
  SearchFinished totals_;
};

// The model as it is rewritten; as it is, where it has no normal form.
rules::NormalForm normal_form_of(const Graph& program);

}  // namespace pet
