#include "verify/theorem/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/read.h"
#include "core/util/printable.h"
#include "verify/values/positions.h"
#include "verify/values/totality.h"

namespace pet::theorem {
namespace {

// Whether it may be undefined.
bool is_in_doubt(const Graph& graph, NodeId id) {
  return is_opaque(graph.node(id)) || applies_partial_function(graph, id);
}

bool is_number(const Node& node, const Value& value) {
  return node.constant() != nullptr && value.role == ConstantRole::Exact &&
         node.constant()->type().dtype == DType::Float && node.constant()->all_finite();
}

}  // namespace

std::vector<char> computed_by_both(const Graph& original, const Graph& mutant,
                                   const ValueTable& table) {
  std::vector<char> by_original(table.values().size(), 0);
  const auto needed = original.needed_by_outputs();
  for (const NodeId id : original.ids()) {
    if (needed[id.index()] != 0) by_original[table.of_original(id).index()] = 1;
  }
  std::vector<char> out(table.values().size(), 0);
  for (const NodeId id : mutant.ids()) {
    const std::size_t value = table.of_mutant(id).index();
    out[value] = by_original[value];
  }
  return out;
}

Result<Program> Program::read(const Graph& graph, Side side, const ValueTable& table,
                              const std::vector<char>& by_both, LeafTable& leaves) {
  Program out;
  out.graph_ = &graph;
  out.leaves_ = &leaves;
  out.nodes_.resize(graph.nodes().size());
  const auto needed = graph.needed_by_outputs();
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    const ValueId value = side == Side::Original ? table.of_original(id) : table.of_mutant(id);
    Role& role = out.nodes_[id.index()];
    role.is_alike = by_both[value.index()] != 0;
    role.is_partial =
        is_in_doubt(graph, id) || std::ranges::any_of(node.operands, [&](NodeId operand) {
          return out.nodes_[operand.index()].is_partial;
        });
    if (needed[id.index()] == 0) continue;
    if (!node.type.shape)
      return Error{fmt::format("'{}' has a shape that nobody knows", printable(node.name)),
                   ErrorKind::Unsupported};
    const auto& shape = *node.type.shape;
    role.kind = is_number(node, table.value(value)) ? Kind::Number : Kind::Variable;
    if (node.op() != nullptr && out.is_multilinear(id)) {
      role.kind = Kind::Sum;
    } else if (node.op() != nullptr && !role.is_alike) {
      return Error{
          fmt::format("not multi-linear: {} '{}'", node.op()->def->name, printable(node.name)),
          ErrorKind::Unsupported};
    } else {
      role.leaf = leaves.of_value(value, {shape.size(), printable(node.name), role.is_partial});
    }
  }
  return out;
}

// A sum of products; functions in it are of single elements of leaves.
bool Program::is_multilinear(NodeId id) const {
  if (!graph_->has_meaning(id)) return false;
  const auto& operands = graph_->node(id).operands;
  const auto is_leaf = [&](const Access& access) {
    const auto number = static_cast<std::size_t>(access.operand);
    if (number >= operands.size()) return false;
    const Kind of = kind(operands[number]);
    return of == Kind::Variable || of == Kind::Number;
  };
  return std::ranges::all_of(graph_->meaning(id).applications, [&](const Application& applied) {
    return !applied.window && std::ranges::all_of(applied.elements, is_leaf);
  });
}

bool Program::add_partial_results(NodeId id, std::set<std::vector<Dim>>& results) const {
  constexpr Dim kMost = 1 << 20;
  if (kind(id) != Kind::Sum) return false;
  const auto& operands = graph_->node(id).operands;
  for (const Application& applied : graph_->meaning(id).applications) {
    if (!is_partial(applied)) continue;
    if (count(applied.out) > kMost) return false;
    std::vector<Dim> axes;
    const auto added = for_each_position(applied.out, axes, 0, [&]() -> Status {
      std::vector<std::optional<Leaf>> elements;
      std::vector<Dim> result{0};
      for (const Access& access : applied.elements) {
        const NodeId operand = operands[static_cast<std::size_t>(access.operand)];
        const auto at = position_read(access.index, *graph_->node(operand).type.shape, axes);
        elements.push_back(at ? std::optional(leaf(operand)) : std::nullopt);
        result.push_back(at.value_or(-1));
      }
      result[0] = leaves_->of_function(applied, elements);
      results.insert(std::move(result));
      return Done{};
    });
    if (!added) return false;
  }
  return true;
}

bool Program::is_defined_where(const Program& original) const {
  std::set<std::vector<Dim>> mine;
  for (const NodeId id : graph_->ids()) {
    if (nodes_[id.index()].is_alike || !is_in_doubt(*graph_, id)) continue;
    if (!add_partial_results(id, mine)) return false;
  }
  if (mine.empty()) return true;
  std::set<std::vector<Dim>> theirs;
  for (const NodeId id : original.graph().ids()) {
    if (original.kind(id) == Kind::Sum) original.add_partial_results(id, theirs);
  }
  return std::ranges::includes(theirs, mine);
}

}  // namespace pet::theorem
