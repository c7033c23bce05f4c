// Equality saturation (TENSAT, MLSys'21): every rule at every place where it fits, round after
// round, until nothing new comes of it or a limit is reached. Driven step by step: one rule is
// looked for, or applied, in a step. The same result whenever and however it is driven.
#pragma once

#include <set>

#include "core/egraph/match.h"
#include "core/egraph/options.h"

namespace pet::egraph {

enum class SaturationEnd { Saturated, Nodes, Iterations };
inline constexpr std::size_t kSaturationEnds = 3;
std::string_view to_string(SaturationEnd end);

// What one rule did in one round.
struct RuleApplication {
  std::size_t rule = 0;
  std::size_t iteration = 0;
  std::size_t matches = 0;
  std::size_t merged = 0;  // pairs of classes
  std::size_t made = 0;    // nodes
  bool is_cut = false;     // there may have been more matches
};

// One rule at one match. What it did: nothing, too, where its target was there already.
struct Effect {
  bool fits = false;
  std::size_t merged = 0, made = 0;
};
Effect apply(Program& program, rules::Rewriter& rewriter, std::size_t rule, const Match& match,
             CycleFilter cycles);

// One rule at all its matches; the e-graph is rebuilt and without cycles afterwards.
RuleApplication apply_everywhere(Program& program, rules::Rewriter& rewriter, std::size_t rule,
                                 const SaturationLimits& limits);

class Saturation {
 public:
  // REQUIRES: both outlive this
  Saturation(Program& program, rules::Rewriter& rewriter, SaturationLimits limits)
      : program_(program), rewriter_(rewriter), limits_(limits) {}

  // One rule looked for, or applied, or the end of a round. Nothing once it is over.
  void step();
  bool is_over() const { return end_.has_value(); }
  const std::optional<SaturationEnd>& end() const { return end_; }
  std::size_t iteration() const { return iteration_; }  // from 0 on
  // What the last step did, where it applied a rule that matched.
  const std::optional<RuleApplication>& applied() const { return applied_; }
  // The last step ended a round: so many nodes were banned.
  const std::optional<std::size_t>& banned() const { return banned_; }
  // No more of a rule.
  void leave_out(std::size_t rule) { left_out_.insert(rule); }

 private:
  bool is_in_turn(std::size_t rule) const;
  void look_for(std::size_t rule);
  void apply_all(std::size_t rule);
  void end_round();

  Program& program_;
  rules::Rewriter& rewriter_;
  const SaturationLimits limits_;
  std::set<std::size_t> left_out_;
  std::size_t iteration_ = 0;
  std::size_t next_ = 0;  // rule, first looked for, then applied
  bool is_applying_ = false;
  bool changed_ = false;  // in this round
  std::optional<Index> index_;
  std::vector<Found> found_;  // by rule
  std::optional<SaturationEnd> end_;
  std::optional<RuleApplication> applied_;
  std::optional<std::size_t> banned_;
};

}  // namespace pet::egraph
