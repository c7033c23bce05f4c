#include "core/analysis/rearranged.h"

#include <algorithm>

namespace pet {
namespace {

// Nothing but the element where `shape` broadcast to `to` has it. Along an axis of one position
// that may be written in two ways.
bool reads_in_place(const Access& access, const Shape& shape, const Shape& to) {
  if (shape.size() > to.size()) return false;
  const auto broadcast = broadcast_index(shape, to);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::size_t axis = d + to.size() - shape.size();
    const bool only_one = shape[d] == 1 && to[axis] == 1;
    if (access.index[d] != broadcast[d] && !(only_one && access.index[d] == v(axis))) return false;
  }
  return true;
}

// Attributes that name axes or sizes, which only the definition can put in another order.
bool has_geometry(const Op& op) {
  return std::any_of(op.def->attrs.begin(), op.def->attrs.end(),
                     [](const AttrDef& attr) { return attr.role == AttrRole::Geometry; });
}

}  // namespace

bool is_elementwise(const Meaning& meaning, std::span<const Shape> operands) {
  std::vector<Shape> shapes(operands.begin(), operands.end());
  const auto in_place = [&](const Access& access, const Shape& to) {
    return reads_in_place(access, shapes[static_cast<std::size_t>(access.operand)], to);
  };
  for (const Application& application : meaning.applications) {
    if (application.window) return false;
    for (const Access& element : application.elements)
      if (!in_place(element, application.out)) return false;
    shapes.push_back(application.out);
  }
  return std::all_of(meaning.sum.terms.begin(), meaning.sum.terms.end(), [&](const Term& term) {
    return term.reduce.empty() && term.guards.empty() && term.coef.tables.empty() &&
           std::all_of(term.factors.begin(), term.factors.end(),
                       [&](const Access& factor) { return in_place(factor, meaning.sum.out); });
  });
}

std::optional<Op> rearranged(const Graph& graph, NodeId id, const AxisOrder& order) {
  if (!graph.has_meaning(id)) return std::nullopt;
  const Op& op = *graph.node(id).op();
  const auto shapes = graph.operand_shapes(id);
  if (!has_geometry(op) && is_elementwise(graph.meaning(id), shapes)) return op;
  const bool same_rank = std::all_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
    return shape.size() == order.size();
  });
  if (op.def->rearranged == nullptr || !same_rank) return std::nullopt;
  return op.def->rearranged(op, order);
}

}  // namespace pet
