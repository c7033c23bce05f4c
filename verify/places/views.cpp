#include "verify/places/views.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/util/check.h"
#include "verify/places/claims.h"

namespace pet::places {
namespace {

// Axes of equal extents stay in their order.
std::optional<AxisOrder> order_between(const Shape& from, const Shape& to) {
  if (from.size() != to.size()) return std::nullopt;
  std::vector<char> taken(from.size(), 0);
  AxisOrder out;
  for (const Dim extent : to) {
    std::size_t axis = 0;
    while (axis < from.size() && (taken[axis] != 0 || from[axis] != extent)) ++axis;
    if (axis == from.size()) return std::nullopt;
    taken[axis] = 1;
    out.push_back(static_cast<std::int64_t>(axis));
  }
  return out;
}

// An expression of the original over the axes of the mutant.
class Renaming {
 public:
  Renaming(const AxisOrder& result, std::size_t reduced) {
    const AxisOrder place = inverse(result);
    for (const std::int64_t axis : place)
      axes_.push_back(IndexExpr::of_axis(static_cast<int>(axis)));
    for (std::size_t i = 0; i < reduced; ++i)
      axes_.push_back(IndexExpr::of_axis(static_cast<int>(place.size() + i)));
  }
  IndexExpr operator()(const IndexExpr& e) const { return e.substitute(axes_); }

 private:
  std::vector<IndexExpr> axes_;
};

class Rearranged {
 public:
  Rearranged(const AxisOrder& result, const std::vector<AxisOrder>& operands)
      : result_(result), place_(inverse(result)), operands_(operands) {}

  bool holds(const Meaning& a, const Meaning& b) const {
    return a.sum.out.size() == result_.size() && is_moved(a.sum.out, b.sum.out) &&
           std::ranges::equal(a.applications, b.applications,
                              [&](const Application& x, const Application& y) {
                                return x.out == a.sum.out && holds(x, y);
                              }) &&
           std::ranges::equal(a.sum.terms, b.sum.terms,
                              [&](const Term& x, const Term& y) { return holds(x, y); });
  }

 private:
  bool is_moved(const Shape& a, const Shape& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (b[i] != a[static_cast<std::size_t>(result_[i])]) return false;
    return true;
  }

  bool holds(const Application& a, const Application& b) const {
    if (a.function != b.function || a.parameters != b.parameters || a.window || b.window ||
        !is_moved(a.out, b.out))
      return false;
    const Renaming renamed(result_, 0);
    return std::ranges::equal(a.elements, b.elements, [&](const Access& x, const Access& y) {
      return holds(x, y, renamed);
    });
  }

  bool holds(const Term& a, const Term& b) const {
    if (a.reduce != b.reduce || a.coef.scale != b.coef.scale) return false;
    const Renaming renamed(result_, a.reduce.size());
    const auto same_table = [&](const AxisTable& x, const AxisTable& y) {
      const auto axis = static_cast<std::size_t>(x.axis);
      const std::int64_t now = axis < place_.size() ? place_[axis] : x.axis;
      return now == y.axis && x.values == y.values;
    };
    const auto same_guard = [&](const Guard& x, const Guard& y) {
      return renamed(x.expr) == y.expr && x.low == y.low && x.high == y.high &&
             x.multiple_of == y.multiple_of;
    };
    return std::ranges::equal(a.coef.tables, b.coef.tables, same_table) &&
           std::ranges::equal(a.guards, b.guards, same_guard) &&
           std::ranges::equal(a.factors, b.factors, [&](const Access& x, const Access& y) {
             return holds(x, y, renamed);
           });
  }

  // Results of functions stand as the result does.
  bool holds(const Access& a, const Access& b, const Renaming& renamed) const {
    if (a.operand != b.operand || a.index.size() != b.index.size()) return false;
    const auto k = static_cast<std::size_t>(a.operand);
    const AxisOrder& order = k < operands_.size() ? operands_[k] : result_;
    if (order.size() != a.index.size()) return false;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (renamed(a.index[static_cast<std::size_t>(order[i])]) != b.index[i]) return false;
    return true;
  }

  const AxisOrder& result_;
  const AxisOrder place_;
  const std::vector<AxisOrder>& operands_;
};

}  // namespace

AxisOrder inverse(const AxisOrder& order) {
  AxisOrder out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return out;
}

std::optional<Graph> with_views(const Graph& original, const Graph& mutant) {
  std::map<NodeId, AxisOrder> views;
  for (const auto& [theirs, mine] : suggested_pairs(original, mutant)) {
    const auto& from = original.node(theirs).type.shape;
    const auto& to = mutant.node(mine).type.shape;
    if (original.node(theirs).op() == nullptr || !from || !to || *from == *to) continue;
    if (auto order = order_between(*from, *to)) views.emplace(theirs, *std::move(order));
  }
  if (views.empty()) return std::nullopt;
  GraphBuilder builder;
  std::vector<NodeId> read(original.nodes().size());  // by node: what stands for it
  const auto inputs = copy_inputs(builder, original);
  for (std::size_t i = 0; i < inputs.size(); ++i) read[original.inputs()[i].index()] = inputs[i];
  for (const NodeId id : original.ids()) {
    const Node& node = original.node(id);
    if (node.input() != nullptr) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(read[operand.index()]);
    auto made = copy_node(builder, node, std::move(operands));
    PET_CHECK(made.ok(), "what was built can be built again");
    if (const auto it = views.find(id); it != views.end()) {
      const auto moved = builder.add(ops::transpose(), {{"perm", it->second}}, {*made}, node.name);
      PET_CHECK(moved.ok(), "axes can be put into any order");
      made = builder.add(ops::transpose(), {{"perm", inverse(it->second)}}, {*moved}, node.name);
      PET_CHECK(made.ok(), "axes can be put into any order");
    }
    read[id.index()] = *made;
  }
  for (const NodeId id : original.outputs()) builder.add_output(read[id.index()]);
  return std::move(builder).build();
}

std::optional<AxisOrder> order_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (!graph.has_meaning(id) || node.operands.size() != 1) return std::nullopt;
  const Meaning& meaning = graph.meaning(id);
  if (!meaning.applications.empty() || meaning.sum.terms.size() != 1) return std::nullopt;
  const Term& term = meaning.sum.terms[0];
  const Shape& from = *graph.node(node.operands[0]).type.shape;
  if (term.coef.scale != 1 || !term.coef.tables.empty() || !term.guards.empty() ||
      !term.reduce.empty() || term.factors.size() != 1 || from.size() != meaning.sum.out.size())
    return std::nullopt;
  AxisOrder out(from.size(), -1);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (term.factors[0].index[axis] == IndexExpr::of_axis(static_cast<int>(i)) &&
          from[axis] == meaning.sum.out[i])
        out[i] = static_cast<std::int64_t>(axis);
    }
  }
  AxisOrder sorted = out;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<std::int64_t>(i)) return std::nullopt;
  return out;
}

bool is_rearranged(const Meaning& original, const Meaning& mutant, const AxisOrder& result,
                   const std::vector<AxisOrder>& operands) {
  return Rearranged(result, operands).holds(original, mutant);
}

}  // namespace pet::places
