#include "verify/places/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/ir/copy.h"

namespace pet::places {
namespace {

// A piece with more operators than that is no small one.
constexpr std::size_t kMostOperators = 1024;
// How far it is looked for what one boundary value follows from another by.
constexpr std::size_t kFewOperators = 64;

using IsBoundary = std::function<bool(NodeId)>;

struct Cut {
  std::vector<NodeId> operators;  // that vary
  std::set<NodeId> boundary;
  std::set<Digest> constants;
};

Result<Cut> cut(const Graph& graph, const std::vector<char>& varies, NodeId from,
                const IsBoundary& is_boundary) {
  Cut out;
  std::set<NodeId> seen = {from};
  std::vector<NodeId> open = {from};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const Node& node = graph.node(id);
    if (node.constant() != nullptr) {
      out.constants.insert(node.constant()->digest());
      continue;
    }
    const bool is_constant = varies[id.index()] == 0;
    if (!is_constant && (node.input() != nullptr || (id != from && is_boundary(id)))) {
      if (!node.type.shape) return Error{"a value of unknown shape", ErrorKind::Unsupported};
      out.boundary.insert(id);
      continue;
    }
    if (!graph.has_meaning(id) || (!is_constant && !is_sum_of_products(graph, id, varies)))
      return Error{"a function of something that is no constant", ErrorKind::Unsupported};
    if (!is_constant) out.operators.push_back(id);
    if (seen.size() > kMostOperators) return Error{"too many operators", ErrorKind::Unsupported};
    for (const NodeId operand : node.operands) {
      if (seen.insert(operand).second) open.push_back(operand);
    }
  }
  std::ranges::sort(out.operators);
  return out;
}

// Those that follow from none of the others, as far as is seen nearby.
std::set<ValueId> fewest(const Sides& sides, const std::set<ValueId>& values) {
  const Graph& graph = sides.original;
  std::set<ValueId> out;
  for (const ValueId value : values) {
    std::set<NodeId> seen;
    std::vector<NodeId> open = graph.node(sides.table.value(value).node).operands;
    bool follows = false;
    while (!open.empty() && !follows && seen.size() < kFewOperators) {
      const NodeId id = open.back();
      open.pop_back();
      if (sides.varies[id.index()] == 0 || !seen.insert(id).second) continue;
      follows = values.contains(sides.table.of_original(id));
      open.insert(open.end(), graph.node(id).operands.begin(), graph.node(id).operands.end());
    }
    if (!follows) out.insert(value);
  }
  return out;
}

// One side as a program of the boundary values.
class Piece {
 public:
  Piece(const Graph& graph, const std::vector<ValueId>& boundary, const ValueTable& table)
      : graph_(graph) {
    for (const ValueId value : boundary) {
      inputs_.emplace(value, builder_.add_input(fmt::format("value {}", value.index()),
                                                table.node(value).type));
    }
  }

  void add_constant(std::shared_ptr<const Tensor> tensor) {
    builder_.add_constant(std::move(tensor));
  }

  template <class ValueOf>
  Result<Graph> build(NodeId result, const std::set<NodeId>& boundary, const ValueOf& value_of) && {
    GraphCopy copy(graph_, builder_, {.instead = [&](NodeId id) -> Result<Instead> {
                     if (boundary.contains(id)) return Instead(inputs_.at(value_of(id)));
                     return Instead(AsItIs{});
                   }});
    if (auto done = copy.make(result); !done) return std::move(done).error();
    builder_.add_output(copy.at(result));
    return std::move(builder_).build();
  }

 private:
  const Graph& graph_;
  GraphBuilder builder_;
  std::map<ValueId, NodeId> inputs_;
};

}  // namespace

bool is_sum_of_products(const Graph& graph, NodeId id, const std::vector<char>& varies) {
  if (!graph.has_meaning(id)) return false;
  const auto& operands = graph.node(id).operands;
  const auto is_constant = [&](const Access& read) {
    const auto k = static_cast<std::size_t>(read.operand);
    return k >= operands.size() || varies[operands[k].index()] == 0;
  };
  return std::ranges::all_of(graph.meaning(id).applications, [&](const Application& applied) {
    return std::ranges::all_of(applied.elements, is_constant) &&
           (!applied.window || is_constant(applied.window->read));
  });
}

Result<Place> cut_out(const Sides& sides, NodeId theirs, NodeId mine, Extent extent) {
  const ValueTable& table = sides.table;
  auto here = cut(sides.mutant, sides.varies_mutant, mine,
                  [&](NodeId id) { return !table.is_new(table.of_mutant(id)); });
  if (!here) return std::move(here).error();
  std::set<ValueId> read;
  for (const NodeId id : here->boundary) read.insert(table.of_mutant(id));
  if (extent == Extent::Most) {
    const auto few = fewest(sides, read);
    if (few == read) return Error{"there is no larger piece", ErrorKind::Unsupported};
    read = few;
    here = cut(sides.mutant, sides.varies_mutant, mine,
               [&](NodeId id) { return read.contains(table.of_mutant(id)); });
    if (!here) return std::move(here).error();
    for (const NodeId id : here->boundary) read.insert(table.of_mutant(id));
  }
  const auto there = cut(sides.original, sides.varies, theirs, [&](NodeId id) {
    const ValueId value = table.of_original(id);
    return read.contains(value) || (extent == Extent::Least && sides.held[value.index()] != 0);
  });
  if (!there) return there.error();
  for (const NodeId id : there->boundary) read.insert(table.of_original(id));
  Place out;
  out.boundary.assign(read.begin(), read.end());
  out.operators = there->operators;
  out.replaced_by = here->operators;
  Piece first(sides.original, out.boundary, table);
  Piece second(sides.mutant, out.boundary, table);
  // A symbol wherever the original has it: not only in this piece.
  for (const NodeId id : sides.original.ids()) {
    const auto* leaf = std::get_if<ConstantLeaf>(&sides.original.node(id).what);
    if (leaf != nullptr && here->constants.contains((*leaf)->digest())) first.add_constant(*leaf);
  }
  auto a = std::move(first).build(theirs, there->boundary,
                                  [&](NodeId id) { return table.of_original(id); });
  if (!a) return std::move(a).error();
  auto b =
      std::move(second).build(mine, here->boundary, [&](NodeId id) { return table.of_mutant(id); });
  if (!b) return std::move(b).error();
  out.original = *std::move(a);
  out.mutant = *std::move(b);
  return out;
}

}  // namespace pet::places
