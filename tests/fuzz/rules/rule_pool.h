// The rules of a campaign: the published ones and ours, as they stand and at sample forms.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/rewrite/rewriter.h"

namespace pet::fuzz {

class RulePool {
 public:
  // Reads the files of that folder. An Error: one of them is not what it should be.
  static Result<RulePool> read(const std::string& folder);

  std::size_t size() const { return rules_.size(); }
  const rules::Rule& rule(std::size_t number) const { return rules_[number]; }
  // Those that stand in the files, first of all: the others are these at forms.
  std::size_t published() const { return published_; }
  // The number of the rule that it is a form of, or its own.
  std::size_t base(std::size_t number) const { return base_[number]; }
  // What is broken on purpose: rules are applied wherever they stand.
  void forget_conditions() {
    for (rules::Rule& rule : rules_) rule.condition.clear();
  }
  // Made once. Null: no sizes are found at which it makes sense.
  const rules::UsableRule* usable(std::size_t number);

 private:
  std::vector<rules::Rule> rules_;  // each with its condition
  std::vector<std::size_t> base_;
  std::size_t published_ = 0;
  std::map<std::size_t, std::optional<rules::UsableRule>> usable_;
};

}  // namespace pet::fuzz
