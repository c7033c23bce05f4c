#include "verify/value_table.h"

#include <algorithm>
#include <cmath>

#include "core/util/overloaded.h"

namespace pet {

ConstantRole ValueTable::role_of(const Tensor& tensor, Weights weights, bool is_known) {
  // Only finite floats have residues; everything else is identified by its bits.
  if (tensor.type().dtype != DType::Float || !tensor.all_finite()) return ConstantRole::Symbol;
  // -0 is no number apart from 0, but operators without a meaning of ours can tell them apart.
  if (weights != Weights::OfPrograms && tensor.floats().size() == 1 && tensor.floats()[0] == 0 &&
      std::signbit(tensor.floats()[0]))
    return ConstantRole::Symbol;
  if (weights == Weights::Bound || tensor.floats().size() <= 1) return ConstantRole::Exact;
  return is_known ? ConstantRole::Symbol : ConstantRole::Exact;
}

ValueId ValueTable::intern(const Graph& graph, NodeId node, std::vector<ValueId> operands,
                           ConstantRole role, bool in_original) {
  Digester digester("value");
  const Node& n = graph.node(node);
  digester.add(static_cast<std::uint64_t>(n.what.index()));
  std::visit(
      overloaded{[&](const Op& op) { digest_into(digester, op); },
                 [&](const InputLeaf& leaf) { digester.add(leaf.name).add(to_string(n.type)); },
                 [&](const ConstantLeaf& leaf) {
                   digester.add(leaf->digest()).add(static_cast<std::uint64_t>(role));
                 }},
      n.what);
  for (const ValueId operand : operands) digester.add(operand.value);
  const auto [it, is_new] = known_.try_emplace(digester.finish(), ValueId(values_.size()));
  if (is_new) values_.push_back({&graph, node, role, std::move(operands), in_original});
  return it->second;
}

ValueTable::ValueTable(const Graph& original, const Graph& mutant, Weights weights)
    : mutant_graph_(&mutant), weights_(weights) {
  for (const Node& node : original.nodes()) {
    if (node.constant() != nullptr) symbols_.emplace(node.constant()->digest(), char{});
  }
  for (const NodeId id : original.ids()) {
    const Node& node = original.node(id);
    std::vector<ValueId> operands;
    for (const NodeId operand : node.operands) operands.push_back(original_[operand.index()]);
    const auto role = node.constant() != nullptr ? role_of(*node.constant(), weights_, true)
                                                 : ConstantRole::Symbol;
    original_.push_back(intern(original, id, std::move(operands), role, true));
  }
}

std::optional<ValueId> ValueTable::next_of_mutant() {
  if (mutant_.size() == mutant_graph_->nodes().size()) return std::nullopt;
  const NodeId id(mutant_.size());
  const Node& node = mutant_graph_->node(id);
  std::vector<ValueId> operands;
  for (const NodeId operand : node.operands) operands.push_back(mutant_[operand.index()]);
  const auto role =
      node.constant() != nullptr
          ? role_of(*node.constant(), weights_, symbols_.contains(node.constant()->digest()))
          : ConstantRole::Symbol;
  mutant_.push_back(intern(*mutant_graph_, id, std::move(operands), role, false));
  computed_.push_back(mutant_.back());
  return mutant_.back();
}

void ValueTable::join(ValueId mine, ValueId theirs) {
  std::replace(mutant_.begin(), mutant_.end(), mine, theirs);
}

}  // namespace pet
