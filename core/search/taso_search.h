// TASO's backtracking search (SOSP'19, Algorithm 2): whole programs in a queue by cost; the
// cheapest one is rewritten by every rule at every place where it fits, and what costs up to alpha
// times the best so far is queued in turn. Programs that were seen before, as expressions, are
// dropped.
//
// Each instance of a rule (rule and shapes) is shown equal once before it enters a program. Costs
// are estimates: the cheapest programs are plans, and whoever accepts them measures whole files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/onnx/model.h"
#include "core/rewrite/normal_form.h"
#include "core/rewrite/rewriter.h"
#include "core/search/plan_of.h"
#include "core/search/recorded_costs.h"
#include "core/search/search.h"
#include "core/search/shown_instances.h"

namespace pet {

class TasoSearch final : public Search {
 public:
  // `rules`: those that the configuration names.
  TasoSearch(const Model& model, std::string target, const TasoConfig& config,
             std::vector<rules::UsableRule> rules, SearchPorts ports);

  // A program taken from the queue, or one of its rewritings, whatever the grain.
  StepStatus step(Grain grain) override;
  std::vector<Plan> best() const override;
  void finish(StopReason reason) override;
  bool is_finished() const override { return is_finished_; }
  SearchProgress progress() const override;

 private:
  struct State {
    Graph program;  // in its normal form; empty once nobody asks for it any more
    double cost_ms = 0;
    std::size_t parent = 0;  // the original is its own
    move::ApplyRule by = {};
  };
  // Of those that cost the same the last one that was reached comes first: what pays only once a
  // rule was applied at several places is found along one way, not after all others of its length.
  struct Waiting {
    double cost_ms = 0;
    std::size_t state = 0;
    bool operator<(const Waiting& other) const {
      return cost_ms != other.cost_ms ? cost_ms < other.cost_ms : state > other.state;
    }
  };
  // The program in work, and how many of its rewritings were looked at.
  struct Open {
    std::size_t state = 0;
    std::vector<rules::Match> matches;
    std::size_t next = 0;
  };

  bool take();
  void look_at(const rules::Match& match);
  bool consider(const rules::Match& match, const rules::Rewriter::Decided& decided, Graph program);
  void drop(const rules::Match& match, StateDrop why);
  void keep_among_best(std::size_t state);
  void forget(std::size_t state);  // unless it is one of the best
  void forget_what_is_never_taken();
  // The rules on the way from the original, first to last.
  std::vector<move::ApplyRule> way_to(std::size_t state) const;
  Result<Plan> plan_for(std::size_t state) const;
  // Nothing: a stop cut it short.
  std::optional<bool> is_shown_equal(const rules::Match& match,
                                     const rules::Rewriter::Decided& decided);
  std::string condition_of(std::size_t rule) const;
  double cost_of(const Graph& program) const;
  const std::string& name_of(const rules::Match& match) const;
  std::string place_of(const rules::Match& match) const;
  double best_ms() const;

  const Model& model_;
  TasoConfig config_;
  EventSink sink_;
  std::stop_token stop_;
  ShownInstances shown_;
  rules::Rewriter rewriter_;
  mutable TellingCosts costs_;
  rules::NormalForm normal_;  // of the model

  std::vector<State> states_;
  std::set<Waiting> queue_;
  std::set<Digest> seen_;
  std::set<std::size_t> refused_;                  // rules
  std::set<std::pair<double, std::size_t>> best_;  // the cheapest that can be written
  std::optional<Open> open_;
  std::size_t taken_ = 0;
  bool is_finished_ = false;
  SearchFinished totals_;
};

}  // namespace pet
