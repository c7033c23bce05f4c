#include "core/program/linear_points.h"

#include <algorithm>

namespace pet {

std::optional<LinearPoints> LinearPoints::of(const Graph& graph, const PrimeField& field,
                                             const Leaves& leaves) {
  LinearPoints out(field);
  out.codes_.resize(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    Code& code = out.codes_[id.index()];
    code.shape = *graph.node(id).type.shape;
    if (graph.node(id).op() == nullptr) {
      code.leaf = leaves(graph.node(id));
    } else if (!out.read(graph, id, code)) {
      return std::nullopt;
    }
  }
  return out;
}

bool LinearPoints::read(const Graph& graph, NodeId id, Code& code) const {
  if (!graph.has_meaning(id)) return false;
  code.meaning = graph.meaning(id);
  code.operands = graph.node(id).operands;
  if (!code.meaning.applications.empty()) return false;
  std::size_t most = 0;
  for (const pet::Term& term : code.meaning.sum.terms) {
    Term own;
    own.term = &term;
    const auto scale = field_.residue(term.coef.scale);
    if (!scale) return false;
    own.scale = *scale;
    for (const AxisTable& table : term.coef.tables) {
      auto& values = own.tables.emplace_back();
      for (const Rational& x : table.values) {
        const auto residue = field_.residue(x);
        if (!residue) return false;
        values.push_back(*residue);
      }
    }
    code.terms.push_back(std::move(own));
    code.sums = code.sums || !term.reduce.empty();
    most = std::max(most, term.reduce.size());
  }
  code.axes.resize(code.shape.size() + most);
  return true;
}

std::optional<std::uint32_t> LinearPoints::value(NodeId node, Dim flat) {
  const std::uint32_t value = element(node.index(), flat);
  return steps_ > most_steps_ ? std::nullopt : std::optional(value);
}

std::uint32_t LinearPoints::element(std::size_t node, Dim flat) {
  Code& code = codes_[node];
  if (code.leaf) return code.leaf(flat);
  if (steps_ > most_steps_) return 0;  // the answer is given up
  const std::uint64_t key = std::uint64_t{node} << 40 | static_cast<std::uint64_t>(flat);
  if (code.sums) {
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
  }
  Dim rest = flat;
  for (std::size_t a = code.shape.size(); a-- > 0;) {
    code.axes[a] = rest % code.shape[a];
    rest /= code.shape[a];
  }
  std::uint32_t total = 0;
  for (const Term& term : code.terms) total = field_.add(total, sum(code, term));
  if (code.sums) memo_.emplace(key, total);
  return total;
}

std::uint32_t LinearPoints::sum(Code& code, const Term& term) {
  const Shape& reduce = term.term->reduce;
  if (reduce.empty()) return product(code, term);
  if (std::find(reduce.begin(), reduce.end(), 0) != reduce.end()) return 0;
  const std::size_t first = code.shape.size();
  std::fill(code.axes.begin() + static_cast<std::ptrdiff_t>(first), code.axes.end(), 0);
  std::uint32_t total = 0;
  for (;;) {
    ++steps_;
    total = field_.add(total, product(code, term));
    std::size_t a = reduce.size();
    while (a > 0 && ++code.axes[first + a - 1] == reduce[a - 1]) code.axes[first + --a] = 0;
    if (a == 0) return total;
  }
}

std::uint32_t LinearPoints::product(const Code& code, const Term& term) {
  for (const Guard& guard : term.term->guards) {
    if (!guard.holds(code.axes)) return 0;
  }
  std::uint32_t result = term.scale;
  for (std::size_t t = 0; t < term.tables.size(); ++t) {
    const auto axis = static_cast<std::size_t>(term.term->coef.tables[t].axis);
    result = field_.mul(result, term.tables[t][static_cast<std::size_t>(code.axes[axis])]);
  }
  for (const Access& access : term.term->factors) {
    const std::size_t source = code.operands[static_cast<std::size_t>(access.operand)].index();
    const Shape& shape = codes_[source].shape;
    Dim flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const Dim index = access.index[d].value(code.axes);
      if (index < 0 || index >= shape[d]) return 0;
      flat = flat * shape[d] + index;
    }
    result = field_.mul(result, element(source, flat));
    if (result == 0) return 0;
  }
  return result;
}

}  // namespace pet
