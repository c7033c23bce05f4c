// What searches in e-graphs have in common: programs are extracted, every instance of a rule on the
// way to one is shown equal, and where a rule is refused the e-graph is grown anew without it. How
// it grows is for eqsat_search and mcts_search to say.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/egraph/extract/extractor.h"
#include "core/search/found_programs.h"
#include "core/search/recorded_costs.h"
#include "core/search/recorded_solver.h"

namespace pet {

class EGraphSearch : public Search {
 public:
  // One step of growing, one extraction, or one instance of a rule looked at, whatever the grain.
  StepStatus step(Grain grain) final;
  std::vector<Plan> best() const final { return found_.plans(); }
  void finish(StopReason reason) final;
  bool is_finished() const final { return is_finished_; }

 protected:
  // Of a configuration of any of them.
  struct Common {
    std::uint64_t seed = 1;
    std::size_t threads = 1;
    double ilp_seconds = 60;
    std::size_t plans = 4;
    double log2_error = -24;
    bool measured_costs = false;
  };
  template <class Config>
  static Common common_of(const Config& config) {
    return {config.seed,  config.threads,    config.ilp_seconds,
            config.plans, config.log2_error, config.measured_costs};
  }

  EGraphSearch(const Model& model, std::string target, const Common& common,
               std::vector<rules::UsableRule> rules, SearchPorts ports);

  // Grows from the original, without rules that were refused. Called by constructors, too.
  virtual void begin() = 0;
  virtual void grow() = 0;  // REQUIRES: !is_grown()
  virtual bool is_grown() const = 0;
  virtual const egraph::Program& program() const = 0;

  // The original, told to have been begun with.
  egraph::Program original();
  egraph::ExtractorAnswer asked(const egraph::Extraction& extraction, egraph::Extractor extractor);
  // What it costs in the e-graph; nothing where it is no program. What is found is looked at next.
  std::optional<double> extract(egraph::Extractor extractor);
  void extract_next(egraph::Extractor extractor) { to_extract_ = extractor; }
  void count_piece() { ++totals_.pieces; }
  void tell(const Event& event) const { sink_(event); }
  const std::string& rule_name(std::size_t rule) const { return rewriter_.rules()[rule].rule.id; }
  const std::set<std::size_t>& refused() const { return refused_; }
  rules::Rewriter& rewriter() { return rewriter_; }
  egraph::Extraction extraction_of(const egraph::Program& of) const {
    return egraph::extraction_of(of, costs_);
  }
  SearchProgress progress_at(std::size_t all, std::size_t done) const;

 private:
  void look_at_found();
  void extract_what_is_next();

  const Common common_;
  EventSink sink_;
  std::stop_token stop_;
  TellingSolver solver_;
  const rules::NormalForm normal_;  // of the model
  rules::Rewriter rewriter_;
  TellingCosts operator_costs_;
  const egraph::Costs costs_;
  FoundPrograms found_;
  std::set<std::size_t> refused_;  // rules
  std::optional<egraph::Extractor> to_extract_;
  bool is_finished_ = false;
  SearchFinished totals_;
};

// The model as it is rewritten; as it is, where it has no normal form.
rules::NormalForm normal_form_of(const Graph& program);

}  // namespace pet
