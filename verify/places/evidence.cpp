#include "verify/places/evidence.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verify/places/views.h"

namespace pet::places {
namespace {

const std::string& name_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return node.input() != nullptr ? node.input()->name : node.name;
}

// Whether a name is that of one value that varies, and of no other.
class Names {
 public:
  explicit Names(const Graph& graph) {
    for (const NodeId id : graph.ids()) ++number_[name_of(graph, id)];
  }
  bool tell(const std::string& name) const {
    const auto it = number_.find(name);
    return !name.empty() && it != number_.end() && it->second == 1;
  }

 private:
  std::map<std::string, std::size_t> number_;
};

// A value behind movements of axes: what was moved, and the order in which its axes stand then.
struct Moved {
  NodeId from;
  AxisOrder order;  // empty: as they were
};

Moved behind_movements(const Graph& graph, NodeId id) {
  Moved out{id, {}};
  while (const auto step = order_of(graph, out.from)) {
    if (out.order.empty()) {
      out.order.resize(step->size());
      std::iota(out.order.begin(), out.order.end(), 0);
    }
    for (std::int64_t& axis : out.order) axis = (*step)[static_cast<std::size_t>(axis)];
    out.from = graph.node(out.from).operands[0];
  }
  if (std::ranges::is_sorted(out.order)) out.order.clear();
  return out;
}

}  // namespace

std::optional<std::vector<ShownPair>> evidence_of(const Graph& original, const Graph& viewed,
                                                  const Graph& mutant, const Walked& walked) {
  const Names theirs(original);
  const Names mine(mutant);
  std::vector<ShownPair> out;
  for (const Join& join : walked.joins) {
    const Moved moved = behind_movements(viewed, join.original);
    ShownPair& pair = out.emplace_back();
    pair.original = name_of(viewed, moved.from);
    pair.mutant = name_of(mutant, join.mutant);
    pair.order = moved.order;
    if (!theirs.tell(pair.original) || !mine.tell(pair.mutant)) return std::nullopt;
    for (const ValueId value : join.from) {
      const std::string& name =
          name_of(viewed, behind_movements(viewed, walked.table.value(value).node).from);
      if (!theirs.tell(name)) return std::nullopt;
      if (std::ranges::find(pair.from, name) == pair.from.end()) pair.from.push_back(name);
    }
  }
  return out;
}

}  // namespace pet::places
