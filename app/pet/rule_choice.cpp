#include "app/pet/rule_choice.h"

#include <fmt/format.h>

#include "app/common/command_line.h"
#include "core/backend/cached_profiler.h"
#include "core/rewrite/form.h"
#include "core/rewrite/normal_form.h"
#include "core/rewrite/reachable.h"
#include "core/rewrite/rule_sets.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

std::vector<const rules::Rule*> all_of(const std::vector<rules::RuleSet>& sets) {
  std::vector<const rules::Rule*> out;
  for (const rules::RuleSet& set : sets)
    for (const rules::Rule& rule : set.file.rules) out.push_back(&rule);
  return out;
}

void tell_unusable(const rules::Rule& rule, const rules::Verified& found) {
  say(fmt::format("pet: rule {} is not used: {}{}{}\n", printable(rule.id),
                  to_string(found.outcome), found.why.empty() ? "" : ", ", printable(found.why)));
}

}  // namespace

Result<std::vector<UsedRules>> choose_rules(const std::vector<std::string>& names,
                                            const Graph& program,
                                            const rules::Verifying& verifying) {
  const auto normal = rules::normal_form(program);
  if (!normal) return normal.error();
  std::vector<rules::RuleSet> sets;
  for (const std::string& name : names) {
    auto set = rules::read_rule_set(name);
    if (!set) return std::move(set).error();
    set->file.rules = rules::with_forms(set->file.rules, normal->program);
    sets.push_back(*std::move(set));
  }
  const auto wanted = rules::reachable(all_of(sets), normal->program);
  const auto found = rules::verified(wanted, verifying);
  if (!found) return found.error();
  std::vector<UsedRules> out;
  std::size_t next = 0;
  for (const rules::RuleSet& set : sets) {
    UsedRules& used = out.emplace_back(UsedRules{set.name, set.digest.hex(), {}});
    for (const rules::Rule& rule : set.file.rules) {
      if (next == wanted.size() || wanted[next] != &rule) continue;
      const rules::Verified& verdict = (*found)[next++];
      if (verdict.is_usable()) {
        used.rules.push_back({rule.id, verdict.condition});
      } else {
        tell_unusable(rule, verdict);
      }
    }
  }
  return out;
}

std::optional<std::filesystem::path> remembered_rules() {
  const auto beside = default_measurements();
  if (!beside) return std::nullopt;
  return beside->parent_path() / "verified_rules.txt";
}

}  // namespace pet::app
