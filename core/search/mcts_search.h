// Tree search over e-graphs as a search of whole programs (Hartmann et al., PACT'24): which rule to
// apply next is chosen by walks through a tree of e-graphs (core/egraph/tree_search); after each
// action, and at the end, the cheapest program is extracted.
#pragma once

#include "core/egraph/tree_search.h"
#include "core/search/egraph_search.h"

namespace pet {

class MctsSearch final : public EGraphSearch {
 public:
  // `rules`: those that the configuration names.
  MctsSearch(const Model& model, std::string target, const MctsConfig& config,
             std::vector<rules::UsableRule> rules, SearchPorts ports);
  SearchProgress progress() const override {
    return progress_at(config_.tree.budget, tree_->walks());
  }

 private:
  void begin() override;
  void grow() override;
  bool is_grown() const override { return tree_->is_over(); }
  const egraph::Program& program() const override { return tree_->program(); }
  double cost_of(const egraph::Program& program);

  const MctsConfig config_;
  std::optional<egraph::TreeSearch> tree_;
};

}  // namespace pet
