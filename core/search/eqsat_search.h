// Equality saturation as a search of whole programs (TENSAT, MLSys'21): the model's e-graph grows
// by rules, round by round; after each the cheapest program that it holds is extracted quickly, and
// at the end by the extractor that was asked for.
#pragma once

#include "core/egraph/saturation.h"
#include "core/search/egraph_search.h"

namespace pet {

class EqsatSearch final : public EGraphSearch {
 public:
  // `rules`: those that the configuration names.
  EqsatSearch(const Model& model, std::string target, const EqsatConfig& config,
              std::vector<rules::UsableRule> rules, SearchPorts ports);
  SearchProgress progress() const override {
    return progress_at(config_.limits.iterations, saturation_->iteration());
  }

 private:
  void begin() override;
  void grow() override;
  bool is_grown() const override { return saturation_->is_over(); }
  const egraph::Program& program() const override { return program_; }
  void end_round();

  const EqsatConfig config_;
  egraph::Program program_;
  std::optional<egraph::Saturation> saturation_;
};

}  // namespace pet
