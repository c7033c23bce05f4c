#include "tests/fuzz/rules/rule_pool.h"

#include "core/rewrite/form.h"
#include "core/rewrite/rule_sets.h"
#include "verify/rules/verified_rules.h"

namespace pet::fuzz {
namespace {

// Rules that name no condition get the one that is found; those of the general files have theirs.
Status find_conditions(std::vector<rules::Rule>& rules) {
  std::vector<const rules::Rule*> pointers;
  for (const rules::Rule& rule : rules) pointers.push_back(&rule);
  const auto found = rules::verified(pointers, {});
  if (!found) return found.error();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!(*found)[i].is_usable()) return Error{rules[i].id + " is not right"};
    rules[i].condition = (*found)[i].condition;
  }
  return Done{};
}

}  // namespace

Result<RulePool> RulePool::read(const std::string& folder) {
  RulePool out;
  for (const char* name : {"taso_general", "tensat_general", "own"}) {
    auto set = rules::read_rule_set(folder + "/" + name + ".json");
    if (!set) return std::move(set).error();
    if (name == std::string("own")) {
      if (auto done = find_conditions(set->file.rules); !done) return std::move(done).error();
    }
    out.rules_.insert(out.rules_.end(), set->file.rules.begin(), set->file.rules.end());
  }
  out.published_ = out.rules_.size();
  for (std::size_t i = 0; i < out.published_; ++i) out.base_.push_back(i);
  for (std::size_t i = 0; i < out.published_; ++i) {
    for (const rules::RuleForm& form : rules::sample_forms()) {
      auto one = rules::at_form(out.rules_[i], form);
      if (!one) continue;
      out.rules_.push_back(*std::move(one));
      out.base_.push_back(i);
    }
  }
  return out;
}

const rules::UsableRule* RulePool::usable(std::size_t number) {
  const auto [it, is_new] = usable_.try_emplace(number);
  if (is_new) {
    auto made = rules::usable(rules_[number], rules_[number].condition);
    if (made) it->second = *std::move(made);
  }
  return it->second ? &*it->second : nullptr;
}

}  // namespace pet::fuzz
