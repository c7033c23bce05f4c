// Is a rule right: at all sizes that were tried, under a condition, or not?
#pragma once

#include <span>

#include "core/rewrite/condition.h"
#include "core/rewrite/rule.h"
#include "verify/verdict/engine.h"

namespace pet::rules {

// One set of sizes, and what the engines said of it.
struct Tried {
  std::map<std::string, Shape> shapes;
  Outcome outcome = Outcome::Unknown;
};

enum class RuleOutcome { Equivalent, Conditional, Different, Unknown };
std::string_view to_string(RuleOutcome outcome);

struct RuleVerdict {
  RuleOutcome outcome = RuleOutcome::Unknown;
  std::string reason;
  // Of Conditional: the rule is right exactly where it holds, of these quantities; where the rule
  // names its condition, wherever it holds.
  Condition condition;
  std::vector<Quantity> quantities;
  std::vector<Tried> tried;  // at least two of each kind that there is
  // Of Equivalent: whether that was proved, over the reals, at all sizes from 1 on; else why not.
  bool all_sizes = false;
  std::string only_tried;
  double log2_error = 0;  // of a wrong "equal" anywhere in it
  bool engines_disagree = false;
};

// The condition, as parse_condition reads it; empty where there is none.
std::string condition_of(const RuleVerdict& verdict);

// Sizes follow from the rule and `seed`, and from nothing that its file says of it. An Error: the
// rule makes no sense, or sizes for it were not found.
Result<RuleVerdict> check_rule(const Rule& rule, std::span<Engine* const> engines,
                               const ProofOptions& options, std::uint64_t seed);

}  // namespace pet::rules
