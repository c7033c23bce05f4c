#include "core/search/plan_of.h"

#include <set>

#include "core/program/difference.h"
#include "core/program/substitute.h"

namespace pet {
namespace {

// The values of the original that a choice computes, or makes needless.
std::set<std::string> names_in(const Graph& original, const Choice& choice) {
  std::set<NodeId> seen(choice.inputs.begin(), choice.inputs.end());
  std::set<std::string> out;
  std::vector<NodeId> open = choice.outputs;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second || !original.has_meaning(id)) continue;
    const Node& node = original.node(id);
    if (!node.name.empty()) out.insert(node.name);
    open.insert(open.end(), node.operands.begin(), node.operands.end());
  }
  return out;
}

// What was applied to a value that has no name, for it was new itself, belongs to what was applied
// before it.
void tell_by(const std::vector<move::ApplyRule>& way, const Graph& original,
             std::vector<Choice>& choices) {
  std::vector<std::set<std::string>> names;
  for (const Choice& choice : choices) names.push_back(names_in(original, choice));
  std::size_t at = 0;
  for (const move::ApplyRule& step : way) {
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (names[i].contains(step.place)) at = i;
    if (at < choices.size()) choices[at].mutant.moves.emplace_back(step);
  }
}

}  // namespace

Result<Plan> plan_of(const Graph& original, const Graph& rewritten,
                     const std::vector<move::ApplyRule>& way, const CostOf& cost) {
  auto parts = differences(original, rewritten, "pet");
  if (!parts) return std::move(parts).error();
  const double before = cost(original);
  Plan out;
  for (Replacement& part : *parts) {
    Choice choice;
    choice.subprogram = out.choices.size();
    choice.place = original.node(part.outputs.front()).name;
    choice.program = std::move(part.program);
    choice.inputs = std::move(part.inputs);
    choice.outputs = std::move(part.outputs);
    const Substitute alone{&choice.program, choice.inputs, choice.outputs};
    const auto made = with_replaced(original, {&alone, 1});
    if (!made) return made.error();
    choice.saved_ms = before - cost(*made);
    out.choices.push_back(std::move(choice));
  }
  tell_by(way, original, out.choices);
  out.saved_ms = before - cost(rewritten);
  return out;
}

}  // namespace pet
