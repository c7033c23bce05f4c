#include "core/run/growth_record.h"

#include "core/egraph/options.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

// Numbers of nodes are anybody's in a journal.
constexpr std::size_t kMostNodes = 10'000'000;

TreeNodeRecord* node_at(GrowthRecord& growth, std::size_t number) {
  if (number >= kMostNodes) return nullptr;
  if (number >= growth.tree.size()) growth.tree.resize(number + 1);
  return &growth.tree[number];
}

void add(const TreeNodeReached& e, GrowthRecord& out) {
  TreeNodeRecord* node = node_at(out, e.node);
  if (node == nullptr) return;
  node->parent = e.parent;
  node->rule = e.rule;
  node->cost_ms = e.cost_ms;
  node->is_saturated = e.is_saturated;
}

void add(const TreeUpdated& e, GrowthRecord& out) {
  TreeNodeRecord* node = node_at(out, e.node);
  if (node == nullptr) return;
  node->visits = e.visits;
  node->value = e.value;
}

void rate(GrowthRecord& growth, double exploration) {
  for (TreeNodeRecord& node : growth.tree) {
    if (!node.parent || *node.parent >= growth.tree.size() || node.visits == 0) continue;
    node.ucb = egraph::ucb1(node.value, node.visits, growth.tree[*node.parent].visits, exploration);
  }
}

}  // namespace

std::vector<GrowthRecord> growth_of(std::span<const Event> events, double exploration) {
  std::vector<GrowthRecord> out;
  std::size_t made = 0, merged = 0;  // in the round at work
  for (const Event& event : events) {
    if (const auto* e = std::get_if<SaturationStarted>(&event)) {
      GrowthRecord& begun = out.emplace_back();
      begun.classes = e->classes;
      begun.nodes = e->nodes;
      made = merged = 0;
    }
    if (out.empty()) continue;
    std::visit(
        overloaded{
            [&](const RuleApplied& e) {
              made += e.made;
              merged += e.merged;
            },
            [&](const EGraphCounted& e) {
              out.back().rounds.push_back({e.classes, e.nodes, e.bytes, made, merged, e.best_ms});
              made = merged = 0;
            },
            [&](const TreeNodeReached& e) { add(e, out.back()); },
            [&](const TreeUpdated& e) { add(e, out.back()); },
            [&](const ActionChosen& e) { out.back().actions.push_back(e); },
            [&](const Extracted& e) { out.back().extracted.push_back(e); },
            [&](const SaturationEnded& e) { out.back().end = e.why; }, [](const auto&) {}},
        event);
  }
  for (GrowthRecord& growth : out) rate(growth, exploration);
  return out;
}

}  // namespace pet
