#include "verify/places/reads.h"

#include <algorithm>
#include <map>

#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/util/check.h"
#include "verify/bitmap/usage.h"

namespace pet::places {
namespace {

constexpr double kMostSteps = 0x1p27;  // of looking at each element: a second

// One piece with a function on each boundary value that is asked about: results of functions are
// what is counted.
struct Marked {
  Graph program;
  std::vector<char> sources;                // by node
  std::map<std::size_t, NodeId> functions;  // by number of the boundary
};

Result<Marked> marked(const Graph& piece, const std::vector<char>& values) {
  GraphBuilder builder;
  std::map<std::size_t, NodeId> functions;
  GraphCopy copy(piece, builder, {});
  for (std::size_t i = 0; i < piece.inputs().size(); ++i) {
    const Node& node = piece.node(piece.inputs()[i]);
    const NodeId input = builder.add_input(node.input()->name, node.type);
    if (values[i] == 0) {
      copy.put(piece.inputs()[i], input);
      continue;
    }
    const auto function = builder.add(ops::reciprocal(), {}, {input});
    if (!function) return function.error();
    functions.emplace(i, *function);
    copy.put(piece.inputs()[i], *function);
  }
  const NodeId output = piece.outputs()[0];
  if (auto done = copy.make(output); !done) return std::move(done).error();
  builder.add_output(copy.at(output));
  Marked out{std::move(builder).build(), {}, std::move(functions)};
  out.sources.assign(out.program.nodes().size(), 0);
  for (const auto& [number, id] : out.functions) out.sources[id.index()] = 1;
  return out;
}

// By number of the boundary, element by element. Nothing: it would take too long.
using Used = std::map<std::size_t, std::vector<char>>;
std::optional<Used> used_by(const Graph& piece, const std::vector<char>& values,
                            TimesZero times_zero, const std::stop_token& stop) {
  const auto with = marked(piece, values);
  if (!with) return std::nullopt;
  const NodeId output = with->program.outputs()[0];
  if (Usage::steps(with->program, output, with->sources) > kMostSteps) return std::nullopt;
  const auto elements = static_cast<std::size_t>(count(*with->program.node(output).type.shape));
  const GraphCode code(with->program);
  const Usage usage(code, output, std::vector<char>(elements, 1), with->sources, times_zero, stop);
  if (stop.stop_requested()) return std::nullopt;
  Used out;
  for (const auto& [number, id] : with->functions) {
    const auto it = usage.results().find(id);
    if (it != usage.results().end()) out[number] = it->second.front();
  }
  return out;
}

// Whether no product of the term is 0 for what it reads beside its tensors, or is multiplied by.
bool counts_everywhere(const IndexedSum& sum, const Term& term, const Graph& graph, NodeId id) {
  if (!term.guards.empty() || !term.coef.tables.empty() || sgn(term.coef.scale) == 0) return false;
  Shape extents = sum.out;
  extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
  return std::ranges::all_of(term.factors, [&](const Access& access) {
    const auto k = static_cast<std::size_t>(access.operand);
    if (k >= graph.node(id).operands.size()) return false;
    const Shape& shape = *graph.node(graph.node(id).operands[k]).type.shape;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      const auto [low, high] = access.index[a].bounds(extents);
      if (low < 0 || high >= shape[a]) return false;
    }
    return true;
  });
}

// Whether a factor reads its whole operand, each axis by an axis of its own.
bool reads_all(const IndexedSum& sum, const Term& term, const Access& access,
               const Shape& operand) {
  std::vector<int> axes;
  for (std::size_t a = 0; a < operand.size(); ++a) {
    const IndexExpr& e = access.index[a];
    if (operand[a] == 1 && e.parts().empty() && e.constant() == 0) continue;
    if (e.constant() != 0 || e.parts().size() != 1 || !e.parts()[0].is_plain_axis() ||
        e.parts()[0].coefficient != 1)
      return false;
    const int axis = e.parts()[0].axis;
    const auto number = static_cast<std::size_t>(axis);
    const Dim extent =
        number < sum.out.size() ? sum.out[number] : term.reduce[number - sum.out.size()];
    if (extent < operand[a] || std::ranges::find(axes, axis) != axes.end()) return false;
    axes.push_back(axis);
  }
  return true;
}

// By number of the boundary: whether the whole of it is seen to be read for the result.
std::vector<char> read_whole(const Graph& piece) {
  std::vector<char> whole(piece.nodes().size(), 0);
  whole[piece.outputs()[0].index()] = 1;
  for (std::size_t i = whole.size(); i-- > 0;) {
    const NodeId id(i);
    if (whole[i] == 0 || !piece.has_meaning(id)) continue;
    const auto& operands = piece.node(id).operands;
    const IndexedSum& sum = piece.meaning(id).sum;
    for (const Term& term : sum.terms) {
      if (!counts_everywhere(sum, term, piece, id)) continue;
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        if (k < operands.size() &&
            reads_all(sum, term, access, *piece.node(operands[k]).type.shape))
          whole[operands[k].index()] = 1;
      }
    }
  }
  std::vector<char> out;
  for (const NodeId id : piece.inputs()) out.push_back(whole[id.index()]);
  return out;
}

// By node: it is one of those, or follows one.
template <class IsOne>
std::vector<char> behind(const Graph& graph, const IsOne& is_one) {
  std::vector<char> out(graph.nodes().size(), 0);
  for (const NodeId id : graph.ids()) {
    const bool follows = std::ranges::any_of(
        graph.node(id).operands, [&](NodeId operand) { return out[operand.index()] != 0; });
    out[id.index()] = follows || is_one(id) ? 1 : 0;
  }
  return out;
}

}  // namespace

std::vector<char> behind_opaque(const Graph& graph) {
  return behind(graph, [&](NodeId id) { return is_opaque(graph.node(id)); });
}

std::vector<char> behind_partial_functions(const Graph& graph) {
  const auto varies = graph.depends_on_inputs();
  return behind(graph, [&](NodeId id) {
    return is_opaque(graph.node(id)) ||
           (applies_partial_function(graph, id) && !is_sum_of_products(graph, id, varies));
  });
}

bool reads_no_more(const Place& place, const std::vector<char>& values,
                   const std::stop_token& stop) {
  std::vector<char> asked = values;
  const auto whole = read_whole(place.original);
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = asked[i] != 0 && whole[i] == 0 ? 1 : 0;
  if (std::ranges::find(asked, char{1}) == asked.end()) return true;
  const auto mine = used_by(place.mutant, asked, TimesZero::Used, stop);
  const auto theirs = used_by(place.original, asked, TimesZero::Unused, stop);
  if (!mine || !theirs) return false;
  return std::ranges::all_of(*mine, [&](const auto& read) {
    const auto it = theirs->find(read.first);
    for (std::size_t i = 0; i < read.second.size(); ++i) {
      if (read.second[i] != 0 && (it == theirs->end() || it->second[i] == 0)) return false;
    }
    return true;
  });
}

}  // namespace pet::places
