#include "verify/values/value_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ir/known_numbers.h"

namespace pet {
namespace {

constexpr std::uint32_t kFree = UINT32_MAX;

}  // namespace

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

ValueTable::Described ValueTable::described(const Graph& graph, NodeId id, Weights weights,
                                            bool is_known) {
  const Node& node = graph.node(id);
  Described out;
  if (node.constant() != nullptr) out.role = role_of(*node.constant(), weights, is_known);
  out.what = graph.what_is(id);
  // What a constant makes of an operator, a computed operand of the same value does not.
  const bool knows_numbers = node.op() != nullptr && node.op()->def->by_numbers.has_value();
  if (!knows_numbers && node.input() == nullptr) return out;
  Digester digester("value");
  digester.add(out.what);
  if (node.input() != nullptr) digester.add(to_string(node.type));
  if (knows_numbers) {
    for (const auto& number : known_numbers(graph, *node.op()->def, node.operands))
      digester.add(number ? to_string(*number) : "");
  }
  out.what = digester.finish();
  return out;
}

// Where the value is, or where it would go.
std::uint32_t& ValueTable::slot_of(const Digest& what, const std::vector<ValueId>& operands) {
  std::uint64_t mixed = what.word();
  for (const ValueId operand : operands)
    mixed = (mixed ^ (mixed >> 29) ^ operand.value) * 0x9E3779B97F4A7C15U;
  std::size_t at = (mixed ^ (mixed >> 32)) & (slots_.size() - 1);
  for (; slots_[at] != kFree; at = (at + 1) & (slots_.size() - 1)) {
    const Value& value = values_[slots_[at]];
    if (value.what == what && value.operands == operands) break;
  }
  return slots_[at];
}

void ValueTable::make_room() {
  if (values_.size() * 2 < slots_.size()) return;
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), kFree);
  for (std::uint32_t i = 0; i < values_.size(); ++i)
    slot_of(values_[i].what, values_[i].operands) = i;
}

ValueId ValueTable::intern(const Graph& graph, NodeId node, const Described& is,
                           std::vector<ValueId> operands, bool in_original) {
  make_room();
  std::uint32_t& slot = slot_of(is.what, operands);
  if (slot == kFree) {
    slot = static_cast<std::uint32_t>(values_.size());
    values_.push_back({&graph, node, is.role, std::move(operands), is.what, in_original});
  }
  return ValueId(slot);
}

ValueTable::ValueTable(const Graph& original, const Graph& mutant, Weights weights)
    : mutant_graph_(&mutant) {
  std::set<Digest> constants;  // of the original, by type, shape and bits
  for (const Node& node : original.nodes()) {
    if (node.constant() != nullptr) constants.insert(node.constant()->digest());
  }
  for (const NodeId id : original.ids()) {
    const Node& node = original.node(id);
    std::vector<ValueId> operands;
    operands.reserve(node.operands.size());
    for (const NodeId operand : node.operands) operands.push_back(original_[operand.index()]);
    original_.push_back(
        intern(original, id, described(original, id, weights, true), std::move(operands), true));
  }
  std::vector<Described> nodes;
  nodes.reserve(mutant.nodes().size());
  for (const NodeId id : mutant.ids()) {
    const Tensor* constant = mutant.node(id).constant();
    const bool is_known = constant != nullptr && constants.contains(constant->digest());
    nodes.push_back(described(mutant, id, weights, is_known));
  }
  nodes_of_mutant_ = std::make_shared<const std::vector<Described>>(std::move(nodes));
}

std::optional<ValueId> ValueTable::next_of_mutant() {
  if (mutant_.size() == mutant_graph_->nodes().size()) return std::nullopt;
  const NodeId id(mutant_.size());
  const Node& node = mutant_graph_->node(id);
  std::vector<ValueId> operands;
  operands.reserve(node.operands.size());
  for (const NodeId operand : node.operands) operands.push_back(mutant_[operand.index()]);
  mutant_.push_back(
      intern(*mutant_graph_, id, (*nodes_of_mutant_)[id.index()], std::move(operands), false));
  computed_.push_back(mutant_.back());
  return mutant_.back();
}

bool ValueTable::rejoins(NodeId mine) const {
  const TensorType& type = mutant_graph_->node(mine).type;
  return is_new(computed_by_mutant(mine)) && !is_new(of_mutant(mine)) && type.shape &&
         type.dtype == DType::Float;
}

void ValueTable::join(ValueId mine, ValueId theirs) {
  std::replace(mutant_.begin(), mutant_.end(), mine, theirs);
}

}  // namespace pet
