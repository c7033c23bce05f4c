#include "core/program/passes/arrange.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/analysis/rearranged.h"
#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/program/passes/all_passes.h"
#include "core/util/check.h"

namespace pet {
namespace {

// What was computed once, and the orders in which it is there: form {M, node} is its transpose by
// M.
struct Base {
  std::optional<Shape> shape;  // unknown: it is there as it is, and in no other order
  std::vector<std::pair<AxisOrder, NodeId>> forms;
};

// A value of the source: its base transposed by `order`.
struct Value {
  std::size_t base = 0;
  AxisOrder order;
};

// No GraphCopy: a value stands in several orders of its axes here, and which of them are made
// follows from what was made before.
class Arranger {
 public:
  Arranger(const Graph& graph, Borders borders)
      : graph_(graph),
        borders_(borders),
        values_(graph.nodes().size()),
        became_(graph.nodes().size()) {}

  Result<Arranged> run() {
    Arranged out;
    const auto wanted = wanted_orders();
    for (const NodeId id : graph_.inputs()) add_input(id, wanted[id.index()]);
    for (const NodeId id : graph_.ids()) {
      if (graph_.node(id).input() != nullptr) continue;
      if (auto done = add(id); !done) return std::move(done).error();
    }
    for (const NodeId id : graph_.outputs()) {
      auto order = free_order(id);
      auto made = in_order(id, order);
      if (!made) return std::move(made).error();
      builder_.add_output(*made);
      out.outputs.push_back(std::move(order));
    }
    for (const NodeId id : graph_.inputs())
      out.inputs.push_back(bases_[value(id).base].forms.front().first);
    return without_unused(std::move(builder_).build(), std::move(out));
  }

 private:
  Value& value(NodeId id) { return values_[id.index()]; }

  std::size_t bytes(NodeId id) const {
    const TensorType& type = graph_.node(id).type;
    return static_cast<std::size_t>(count(*type.shape)) * bytes_per_element(type.dtype);
  }

  AxisOrder as_it_is(NodeId id) const {
    const auto& shape = graph_.node(id).type.shape;
    return identity_order(shape ? shape->size() : 0);
  }

  Result<Arranged> without_unused(const Graph& all, Arranged out) const {
    const auto needed = all.needed_by_outputs();
    GraphBuilder builder;
    GraphCopy copy(all, builder, {.keep = [&](NodeId id) { return needed[id.index()] != 0; }});
    auto used = copy.build();
    if (!used) return std::move(used).error();
    out.graph = *std::move(used);
    for (const NodeId id : graph_.ids()) {
      std::set<NodeId> after;
      for (const NodeId node : became_[id.index()])
        if (copy.has(node)) after.insert(copy.at(node));
      if (!after.empty()) out.became.push_back({{id}, {after.begin(), after.end()}});
    }
    return out;
  }

  // `node` stands for the value of the source, in some order of its axes.
  void note(NodeId id, NodeId node) { became_[id.index()].insert(node); }

  // `node` is the value of the source transposed by `form`.
  void put(NodeId id, NodeId node, AxisOrder form) {
    note(id, node);
    value(id) = {bases_.size(), as_it_is(id)};
    bases_.push_back({graph_.node(id).type.shape, {{std::move(form), node}}});
  }

  // By node: the order that some reader wants it in, be it on behalf of its own readers.
  std::vector<std::optional<AxisOrder>> wanted_orders() const {
    std::vector<std::optional<AxisOrder>> wanted(graph_.nodes().size());
    for (std::size_t i = wanted.size(); i-- > 0;) {
      const NodeId id(i);
      const Node& node = graph_.node(id);
      if (node.op() == nullptr || !is_known(id)) continue;
      if (node.op()->def == &ops::transpose()) {
        const Ints& perm = node.op()->ints("perm");
        wanted[node.operands[0].index()] = AxisOrder(perm.begin(), perm.end());
      } else if (wanted[i] && rearranged(graph_, id, *wanted[i])) {
        for (const NodeId operand : node.operands) {
          const auto& shape = graph_.node(operand).type.shape;
          if (shape->size() == wanted[i]->size()) wanted[operand.index()] = wanted[i];
        }
      }
    }
    return wanted;
  }

  void add_input(NodeId id, const std::optional<AxisOrder>& wanted) {
    const Node& node = graph_.node(id);
    const bool is_free = borders_ == Borders::Free && wanted;
    const AxisOrder order = is_free ? *wanted : as_it_is(id);
    TensorType type = node.type;
    if (is_free) type.shape = reordered(*type.shape, order);
    put(id, builder_.add_input(node.input()->name, std::move(type)), order);
  }

  // The value transposed by `order`.
  Result<NodeId> in_order(NodeId id, const AxisOrder& order) {
    Base& base = bases_[value(id).base];
    const AxisOrder wanted = composed(value(id).order, order);
    for (const auto& [form, node] : base.forms) {
      if (form != wanted) continue;
      note(id, node);
      return node;
    }
    PET_CHECK(base.shape.has_value(), "what has no known shape is asked for as it is");
    const auto& [form, node] = base.forms.front();
    auto made = transposed(node, composed(inverse(form), wanted),
                           is_identity(order) ? graph_.node(id).name : std::string());
    if (!made) return made;
    note(id, *made);
    base.forms.emplace_back(wanted, *made);
    return made;
  }

  Result<NodeId> transposed(NodeId x, const AxisOrder& order, const std::string& name) {
    const Shape shape = *builder_.type(x).shape;
    const Shape to = reordered(shape, order);
    if (!moves_nothing(shape, order))
      return builder_.add(ops::transpose(), Attrs{{"perm", Ints(order.begin(), order.end())}}, {x},
                          name);
    if (to == shape) return x;
    return builder_.add(ops::reshape(), Attrs{{"shape", to}}, {x}, name);
  }

  // In Fixed borders outputs stand as they are; else as they are there.
  AxisOrder free_order(NodeId id) {
    const Base& base = bases_[value(id).base];
    if (borders_ == Borders::Fixed) return as_it_is(id);
    return composed(inverse(value(id).order), base.forms.front().first);
  }

  bool is_known(NodeId id) const { return graph_.node(id).type.shape.has_value(); }

  Status add(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.op() != nullptr && node.op()->def == &ops::transpose() && is_known(id)) {
      const Ints& perm = node.op()->ints("perm");
      const Value& from = value(node.operands[0]);
      value(id) = {from.base, composed(from.order, AxisOrder(perm.begin(), perm.end()))};
      return Done{};
    }
    if (const auto order = best_order(id); order && !is_identity(*order))
      return add_rearranged(id, *order);
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) {
      auto made = in_order(operand, as_it_is(operand));
      if (!made) return std::move(made).error();
      operands.push_back(*made);
    }
    if (node.op() != nullptr && node.op()->def == &ops::reshape())
      operands[0] = unshaped(operands[0]);
    auto made = copy_node(builder_, node, std::move(operands));
    if (!made) return std::move(made).error();
    put(id, *made, as_it_is(id));
    return Done{};
  }

  // Whatever shape it was given before it is reshaped again.
  NodeId unshaped(NodeId x) const {
    const Node& node = builder_.node(x);
    return node.op() != nullptr && node.op()->def == &ops::reshape() ? node.operands[0] : x;
  }

  // The order in which an operator that does not mind moves fewest bytes; nothing where it minds.
  std::optional<AxisOrder> best_order(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.op() == nullptr || !is_known(id) || !graph_.has_meaning(id)) return std::nullopt;
    const std::size_t rank = node.type.shape->size();
    std::vector<NodeId> computed;
    for (const NodeId operand : node.operands) {
      if (graph_.node(operand).constant() != nullptr) continue;
      if (graph_.node(operand).type.shape->size() != rank) return std::nullopt;
      computed.push_back(operand);
    }
    std::optional<AxisOrder> best;
    std::size_t least = 0;
    for (const NodeId operand : computed) {
      for (const auto& [form, made] : bases_[value(operand).base].forms) {
        const AxisOrder order = composed(inverse(value(operand).order), form);
        const std::size_t moved = moved_bytes(computed, order);
        if ((best && moved >= least) || !rearranged(graph_, id, order)) continue;
        best = order;
        least = moved;
      }
    }
    return best;
  }

  std::size_t moved_bytes(const std::vector<NodeId>& operands, const AxisOrder& order) {
    std::size_t sum = 0;
    for (const NodeId operand : operands) {
      const Base& base = bases_[value(operand).base];
      const AxisOrder wanted = composed(value(operand).order, order);
      const bool there = std::any_of(base.forms.begin(), base.forms.end(),
                                     [&](const auto& form) { return form.first == wanted; });
      if (!there) sum += bytes(operand);
    }
    return sum;
  }

  Status add_rearranged(NodeId id, const AxisOrder& order) {
    const Node& node = graph_.node(id);
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) {
      auto made = graph_.node(operand).constant() != nullptr ? constant_in_order(operand, order)
                                                             : in_order(operand, order);
      if (!made) return std::move(made).error();
      operands.push_back(*made);
    }
    auto made = builder_.add(*rearranged(graph_, id, order), std::move(operands));
    if (!made) return std::move(made).error();
    put(id, *made, order);
    return Done{};
  }

  // A constant that is broadcast: with the axes that it lacks, then in the other order.
  Result<NodeId> constant_in_order(NodeId id, const AxisOrder& order) {
    const Shape& shape = *graph_.node(id).type.shape;
    auto made = in_order(id, as_it_is(id));
    if (!made || count(shape) == 1) return made;
    Shape full(order.size() - shape.size(), 1);
    full.insert(full.end(), shape.begin(), shape.end());
    if (full != shape) made = builder_.add(ops::reshape(), Attrs{{"shape", full}}, {*made});
    if (made) made = transposed(*made, order, {});
    if (made) note(id, *made);
    return made;
  }

  const Graph& graph_;
  Borders borders_;
  GraphBuilder builder_;
  std::vector<Base> bases_;
  std::vector<Value> values_;
  std::vector<std::set<NodeId>> became_;  // by node of the source
};

}  // namespace

Result<Arranged> arrange(const Graph& graph, Borders borders) {
  return Arranger(graph, borders).run();
}

namespace passes {

const Pass& arrange() {
  static const Pass pass{
      "transposes moved out of the way", PassStage::Whole,
      [](const Graph& program, PassTools&) -> Result<Rewritten> {
        auto arranged = pet::arrange(program, Borders::Fixed);
        if (!arranged) return std::move(arranged).error();
        return Rewritten{std::move(arranged->graph), std::move(arranged->became)};
      }};
  return pass;
}

}  // namespace passes

}  // namespace pet
