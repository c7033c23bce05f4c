#include "core/program/composites.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/program/activations.h"

namespace pet {
namespace {

constexpr std::size_t kMostNodes = 24;
constexpr std::size_t kMostTrailing = 2;  // scale and shift behind a normalisation

// What the search for composites asks about operators. A factor of a term is computed where it
// reads an operand that depends on the inputs, or an element function.
class Looks {
 public:
  explicit Looks(const Graph& graph)
      : graph_(graph), depends_(graph.depends_on_inputs()), users_(graph.consumers()) {}

  const Graph& graph() const { return graph_; }
  const std::vector<NodeId>& users(NodeId id) const { return users_[id.index()]; }

  bool is_computed(NodeId id) const {
    return graph_.node(id).op() != nullptr && depends_[id.index()] != 0 && graph_.has_meaning(id);
  }
  bool is_output(NodeId id) const {
    const auto& outputs = graph_.outputs();
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
  }
  std::set<NodeId> computed_operands(NodeId id) const {
    std::set<NodeId> out;
    for (const NodeId operand : graph_.node(id).operands) {
      if (depends_[operand.index()] != 0) out.insert(operand);
    }
    return out;
  }

  // Sums products of two computed values.
  bool is_product_of_computed(NodeId id) const { return has_term(id, 2, true); }
  // Multiplies two computed numbers, element by element.
  bool is_gate(NodeId id) const { return has_term(id, 2, false); }
  // Sums no products: pointwise, a reduction, or a layout.
  bool is_light(NodeId id) const {
    if (!is_computed(id)) return false;
    const Meaning& meaning = graph_.meaning(id);
    return std::none_of(meaning.sum.terms.begin(), meaning.sum.terms.end(), [](const Term& term) {
      return count(term.reduce) > 1 && term.factors.size() > 1;
    });
  }
  // Sums along axes.
  bool is_reduction(NodeId id) const { return has_term(id, 1, true); }
  // Applies a function to rows.
  bool is_row_function(NodeId id) const {
    if (!is_computed(id)) return false;
    const Meaning& meaning = graph_.meaning(id);
    return std::any_of(meaning.applications.begin(), meaning.applications.end(),
                       [](const Application& a) { return a.window.has_value(); });
  }

 private:
  bool has_term(NodeId id, std::size_t computed_factors, bool summed) const {
    if (!is_computed(id)) return false;
    const Node& node = graph_.node(id);
    const Meaning& meaning = graph_.meaning(id);
    const auto computed_operand = [&](const Access& access) {
      const auto i = static_cast<std::size_t>(access.operand);
      return i >= node.operands.size() || depends_[node.operands[i].index()] != 0;
    };
    const auto computed = [&](const Access& factor) {
      const auto i = static_cast<std::size_t>(factor.operand);
      if (i < node.operands.size()) return computed_operand(factor);
      const Application& applied = meaning.applications[i - node.operands.size()];
      return applied.window ||
             std::any_of(applied.elements.begin(), applied.elements.end(), computed_operand);
    };
    return std::any_of(meaning.sum.terms.begin(), meaning.sum.terms.end(), [&](const Term& term) {
      const auto found = std::count_if(term.factors.begin(), term.factors.end(), computed);
      return (count(term.reduce) > 1) == summed &&
             static_cast<std::size_t>(found) >= computed_factors;
    });
  }

  const Graph& graph_;
  std::vector<char> depends_;
  std::vector<std::vector<NodeId>> users_;
};

// Whether nothing outside reads what is computed inside, but for the result of `last`.
bool is_closed(const Looks& looks, const std::set<NodeId>& inside, NodeId last) {
  return std::all_of(inside.begin(), inside.end(), [&](NodeId id) {
    const auto& users = looks.users(id);
    return id == last ||
           (!looks.is_output(id) && std::all_of(users.begin(), users.end(), [&](NodeId user) {
             return inside.contains(user);
           }));
  });
}

// What lies between one value and `last`, which reads it along several ways: everything on these
// ways, where all of it is light. Grows as long as the ways part and meet again.
std::optional<std::set<NodeId>> between_one_value_and(const Looks& looks, NodeId last) {
  std::optional<std::set<NodeId>> best;
  std::set<NodeId> inside{last};
  std::set<NodeId> front = looks.computed_operands(last);
  bool parted = false;
  while (inside.size() < kMostNodes && !front.empty()) {
    if (front.size() > 1) parted = true;
    if (front.size() == 1 && parted && is_closed(looks, inside, last)) {
      best = inside;
      parted = false;
    }
    const NodeId id = *front.rbegin();  // everything that reads it is inside already
    if (!looks.is_light(id)) break;
    front.erase(id);
    inside.insert(id);
    front.merge(looks.computed_operands(id));
  }
  return best;
}

// Scale and shift behind a normalisation, the factor behind a gate.
void add_trailing(const Looks& looks, CompositeKind kind, NodeId last, std::set<NodeId>& nodes) {
  for (std::size_t i = 0; i < kMostTrailing; ++i) {
    if (looks.is_output(last) || looks.users(last).size() != 1) return;
    const NodeId next = looks.users(last).front();
    const Node& node = looks.graph().node(next);
    const bool fits = looks.is_light(next) && !looks.is_reduction(next) &&
                      node.operands.size() == 2 && node.type == looks.graph().node(last).type &&
                      looks.computed_operands(next).size() == 1 &&
                      is_linear_in_activations(looks.graph(), next) &&
                      (kind == CompositeKind::Normalization ||
                       std::any_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
                         const Tensor* constant = looks.graph().node(operand).constant();
                         return constant != nullptr && count(constant->shape()) == 1;
                       }));
    if (!fits) return;
    nodes.insert(next);
    last = next;
  }
}

std::optional<Composite> gate_or_normalization(const Looks& looks, NodeId last) {
  if (!looks.is_gate(last)) return std::nullopt;
  auto nodes = between_one_value_and(looks, last);
  if (!nodes || std::all_of(nodes->begin(), nodes->end(),
                            [&](NodeId id) { return is_linear_in_activations(looks.graph(), id); }))
    return std::nullopt;
  const bool reduces =
      std::any_of(nodes->begin(), nodes->end(), [&](NodeId id) { return looks.is_reduction(id); });
  const auto kind = reduces ? CompositeKind::Normalization : CompositeKind::Gate;
  add_trailing(looks, kind, last, *nodes);
  return Composite{kind, {nodes->begin(), nodes->end()}};
}

// From a row function back to the product that it reads and on to the product that reads it,
// through light operators that nothing else reads.
std::optional<Composite> attention(const Looks& looks, NodeId rows) {
  if (!looks.is_row_function(rows)) return std::nullopt;
  std::set<NodeId> nodes{rows};
  NodeId id = rows;
  while (!looks.is_product_of_computed(id)) {
    const std::set<NodeId> operands = looks.computed_operands(id);
    const auto product = std::find_if(operands.begin(), operands.end(), [&](NodeId operand) {
      return looks.is_computed(operand) && looks.users(operand).size() == 1;
    });
    if (!looks.is_light(id) || product == operands.end() || nodes.size() == kMostNodes)
      return std::nullopt;
    id = *product;
    nodes.insert(id);
  }
  for (id = rows; !looks.is_product_of_computed(id);) {
    if ((id != rows && !looks.is_light(id)) || looks.is_output(id) || looks.users(id).size() != 1 ||
        nodes.size() == kMostNodes)
      return std::nullopt;
    id = looks.users(id).front();
    nodes.insert(id);
  }
  if (!is_closed(looks, nodes, id)) return std::nullopt;
  return Composite{CompositeKind::Attention, {nodes.begin(), nodes.end()}};
}

}  // namespace

std::string_view to_string(CompositeKind kind) {
  switch (kind) {
    case CompositeKind::Gate:
      return "gate";
    case CompositeKind::Normalization:
      return "normalisation";
    case CompositeKind::Attention:
      return "attention";
  }
  return "";
}

std::vector<Composite> find_composites(const Graph& graph) {
  const Looks looks(graph);
  std::vector<Composite> found;
  for (const NodeId id : graph.ids()) {
    if (auto composite = gate_or_normalization(looks, id)) found.push_back(*std::move(composite));
    if (auto composite = attention(looks, id)) found.push_back(*std::move(composite));
  }
  // The larger one wins: the variance of a normalisation is a gate of its own.
  std::stable_sort(found.begin(), found.end(), [](const Composite& a, const Composite& b) {
    return a.nodes.size() > b.nodes.size();
  });
  std::set<NodeId> taken;
  std::vector<Composite> out;
  for (Composite& composite : found) {
    const auto& nodes = composite.nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return taken.contains(id); }))
      continue;
    taken.insert(nodes.begin(), nodes.end());
    out.push_back(std::move(composite));
  }
  std::sort(out.begin(), out.end(),
            [](const Composite& a, const Composite& b) { return a.nodes.back() < b.nodes.back(); });
  return out;
}

}  // namespace pet
