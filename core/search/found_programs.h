// Whole programs that a search has found in an e-graph, from choices of nodes to plans: written as
// files have them, with the rules on the way to each, every instance of which is shown equal before
// the program counts.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>

#include "core/egraph/explanation.h"
#include "core/onnx/model.h"
#include "core/rewrite/normal_form.h"
#include "core/search/plan_of.h"
#include "core/search/search.h"
#include "core/search/shown_instances.h"

namespace pet {

class FoundPrograms {
 public:
  // `normal`: the model as it is rewritten. REQUIRES: model, normal and rewriter outlive this
  FoundPrograms(const Model& model, const rules::NormalForm& normal, rules::Rewriter& rewriter,
                ShownInstances shown, CostOf cost, std::size_t most);

  // A program to be looked at, if it is cheaper than the original and new.
  void add(const egraph::Program& program, const egraph::Extraction& extraction,
           const egraph::Choice& choice);
  bool has_work() const { return !waiting_.empty(); }

  // One instance of the next program. A program whose instances are all shown counts from then on;
  // what rests on a rule that is refused is dropped.
  struct Step {
    bool was_stopped = false;  // nothing has happened
    bool was_new = false;      // an engine was asked
    // To a new cheapest program, if there is one.
    std::optional<std::vector<move::ApplyRule>> way;
    std::optional<RuleRefused> refused;
    std::size_t rule = 0;  // its number
  };
  Step step();

  double original_ms() const { return original_ms_; }
  double best_ms() const;
  std::vector<Plan> plans() const;  // the cheapest first

 private:
  struct Candidate {
    Graph written;
    double cost_ms = 0;
    std::vector<move::ApplyRule> way;
    std::vector<rules::Use> uses;  // of them, each once
    std::size_t next = 0;
  };
  void explain(const egraph::Program& program, const std::vector<std::size_t>& way,
               Candidate& out) const;
  bool keep(const Candidate& candidate);

  const Model& model_;
  const rules::NormalForm& normal_;
  rules::Rewriter& rewriter_;
  ShownInstances shown_;
  const CostOf cost_;
  const std::size_t most_;
  const double original_ms_;
  std::set<Digest> seen_;  // as expressions
  std::deque<Candidate> waiting_;
  std::multimap<double, Plan> best_;
};

}  // namespace pet
