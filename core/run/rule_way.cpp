#include "core/run/rule_way.h"

#include <algorithm>
#include <map>
#include <span>

namespace pet {
namespace {

using Entries = std::span<const JournalContent::Entry>;

std::map<std::string, std::string> conditions_of(const JournalHeader& header) {
  std::map<std::string, std::string> out;
  const auto* config = std::get_if<TasoConfig>(&header.config);
  if (config == nullptr) return out;
  for (const UsedRules& set : config->rules)
    for (const UsedRule& rule : set.rules) out.emplace(rule.id, rule.condition);
  return out;
}

// Of a search in an e-graph: the last way is the best one.
std::vector<RuleStepRecord> way_found(Entries entries) {
  std::vector<RuleStepRecord> out;
  for (const JournalContent::Entry& entry : entries) {
    const auto* found = std::get_if<WayFound>(&entry.event);
    if (found == nullptr) continue;
    out.clear();
    for (const move::ApplyRule& step : found->way) out.push_back({step, std::nullopt});
    if (!out.empty()) out.back().saved_ms = found->saved_ms;
  }
  return out;
}

// Of a search of whole programs, by the states that it reached.
std::vector<RuleStepRecord> way_reached(Entries entries,
                                        const std::map<std::string, std::string>& conditions) {
  std::map<std::size_t, StateReached> reached;
  std::map<std::size_t, double> costs;
  for (const JournalContent::Entry& entry : entries) {
    if (const auto* taken = std::get_if<StateTaken>(&entry.event))
      costs.emplace(taken->state, taken->cost_ms);
    if (const auto* state = std::get_if<StateReached>(&entry.event)) {
      costs.insert_or_assign(state->state, state->cost_ms);
      reached.insert_or_assign(state->state, *state);
    }
  }
  const auto cheapest = std::ranges::min_element(
      costs, {}, [](const auto& cost) { return std::pair(cost.second, cost.first); });
  std::vector<RuleStepRecord> out;
  if (cheapest == costs.end()) return out;
  for (auto at = reached.find(cheapest->first); at != reached.end();) {
    const StateReached& state = at->second;
    const auto condition = conditions.find(state.rule);
    const auto before = costs.find(state.parent);
    out.push_back(
        {{state.rule, condition == conditions.end() ? "" : condition->second, state.place},
         before == costs.end() ? 0 : before->second - state.cost_ms});
    // A parent was reached before its children, whatever a file says.
    at = state.parent < state.state ? reached.find(state.parent) : reached.end();
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<RuleStepRecord> way_of(Entries entries,
                                   const std::map<std::string, std::string>& conditions) {
  auto found = way_found(entries);
  return found.empty() ? way_reached(entries, conditions) : found;
}

}  // namespace

std::vector<RuleStepRecord> rule_way(const JournalContent& journal) {
  const auto conditions = conditions_of(journal.header);
  std::vector<RuleStepRecord> out;
  const Entries all(journal.entries);
  std::size_t places = 1;
  for (std::size_t from = 0; from < all.size();) {
    std::size_t to = from;
    while (to < all.size() && !std::holds_alternative<BlockTaken>(all[to].event)) ++to;
    for (RuleStepRecord& step : way_of(all.subspan(from, to - from), conditions)) {
      step.places = places;
      if (step.saved_ms) *step.saved_ms *= static_cast<double>(places);
      out.push_back(std::move(step));
    }
    if (to < all.size()) places = std::get<BlockTaken>(all[to].event).places.size();
    from = to + 1;
  }
  return out;
}

}  // namespace pet
