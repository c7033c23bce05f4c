#include "core/program/mutate/canonical.h"

namespace pet::mutation {
namespace {

void add(Digester& d, const Shape& shape) {
  d.add(shape.size());
  for (const Dim extent : shape) d.add(static_cast<std::uint64_t>(extent));
}

void add(Digester& d, const Access& access) {
  d.add(static_cast<std::uint64_t>(access.operand)).add(access.index.size());
  for (const IndexExpr& e : access.index) d.add(to_string(e));
}

void add(Digester& d, const Term& term) {
  d.add(to_string(term.coef.scale));
  d.add(term.coef.tables.size());
  for (const AxisTable& table : term.coef.tables) {
    d.add(static_cast<std::uint64_t>(table.axis)).add(table.values.size());
    for (const Rational& value : table.values) d.add(to_string(value));
  }
  add(d, term.reduce);
  d.add(term.guards.size());
  for (const Guard& guard : term.guards) {
    d.add(to_string(guard.expr));
    add(d, {guard.low, guard.high, guard.multiple_of});
  }
  d.add(term.factors.size());
  for (const Access& access : term.factors) add(d, access);
}

// Operators with element functions are told apart by their attributes.
void add(Digester& d, const Graph& graph, NodeId id) {
  const Op& op = *graph.node(id).op();
  d.add(op.def->name);
  if (!graph.has_meaning(id)) return digest_into(d, op);
  const Meaning& meaning = graph.meaning(id);
  if (!meaning.applications.empty()) return digest_into(d, op);
  add(d, meaning.sum.out);
  for (const Term& term : meaning.sum.terms) add(d, term);
}

}  // namespace

Digest canonical_digest(const Graph& graph) {
  const auto needed = graph.needed_by_outputs();
  std::vector<Digest> of(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    Digester d("canonical value");
    d.add(to_string(node.type));
    if (node.input() != nullptr) {
      d.add("input").add(node.input()->name);
    } else if (node.constant() != nullptr) {
      d.add("constant").add(node.constant()->digest());
    } else {
      add(d, graph, id);
    }
    for (const NodeId operand : node.operands) d.add(of[operand.index()]);
    of[id.index()] = d.finish();
  }
  Digester whole("canonical program");
  for (const NodeId id : graph.outputs()) whole.add(of[id.index()]);
  return whole.finish();
}

}  // namespace pet::mutation
