// Tree search over e-graphs as a search of whole programs (Hartmann et al., PACT'24): which rule to
// apply next is chosen by walks through a tree of e-graphs (core/egraph/tree_search); after each
// action, and at the end, the cheapest program is extracted. Programs are plans once every instance
// of a rule on the way to them is shown equal.
#pragma once

#include <optional>

#include "core/egraph/tree_search.h"
#include "core/search/eqsat_search.h"

namespace pet {

class MctsSearch final : public Search {
 public:
  // `rules`: those that the configuration names.
  MctsSearch(const Model& model, std::string target, const MctsConfig& config,
             std::vector<rules::UsableRule> rules, SearchPorts ports);

  // One walk, one action, one extraction, or one instance of a rule looked at, whatever the grain.
  StepStatus step(Grain grain) override;
  std::vector<Plan> best() const override { return found_.plans(); }
  void finish(StopReason reason) override;
  bool is_finished() const override { return is_finished_; }
  SearchProgress progress() const override;

 private:
  void begin();
  void grow();
  void look_at_found();
  void extract_next();
  bool extract(egraph::Extractor extractor);
  double cost_of(const egraph::Program& program);
  const std::string& rule_name(std::size_t rule) const { return rewriter_.rules()[rule].rule.id; }

  const MctsConfig config_;
  EventSink sink_;
  std::stop_token stop_;
  TellingSolver solver_;
  const rules::NormalForm normal_;
  rules::Rewriter rewriter_;
  const std::unique_ptr<OperatorCosts> operator_costs_;
  const egraph::Costs costs_;
  FoundPrograms found_;
  std::optional<egraph::TreeSearch> tree_;
  std::set<std::size_t> refused_;
  std::vector<egraph::Extractor> to_extract_;  // last first
  bool is_finished_ = false;
  SearchFinished totals_;
};

}  // namespace pet
