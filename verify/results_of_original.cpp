#include "verify/results_of_original.h"

#include <numeric>

namespace pet {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
// Of tensors of 100 bytes for each: a gigabyte or three.
constexpr Dim kMostElements = Dim{1} << 25;

std::uint32_t number(NodeId id) { return static_cast<std::uint32_t>(id.index()); }

// Float results of functions, of a shape that is known.
bool has_results(const Graph& graph, NodeId id) {
  const TensorType& type = graph.node(id).type;
  return type.shape && type.dtype == DType::Float && graph.has_meaning(id) &&
         !graph.meaning(id).applications.empty();
}

Result<std::vector<Hash128>> keys_of(ResidueStore& store, ValueId id) {
  const auto residues = store.residues(id);
  if (!residues) return residues.error();
  return element_keys(**residues);
}

// The node that holds all of these elements, each of them once; `is_seen` is all 0, before and
// after.
std::uint32_t holder_of_all(const std::vector<Counterparts::Slot>& elements,
                            const std::vector<std::uint32_t>& holders, std::vector<char>& is_seen) {
  if (elements.empty()) return kNowhere;
  std::uint32_t out = holders[elements.front()];
  for (const Counterparts::Slot slot : elements) {
    if (is_seen[slot] != 0 || holders[slot] != out) out = kNowhere;
    is_seen[slot] = 1;
  }
  for (const Counterparts::Slot slot : elements) is_seen[slot] = 0;
  return out;
}

}  // namespace

ResultsOfOriginal::ResultsOfOriginal(const ProvedPair& pair)
    : pair_(&pair), parents_(pair.original.nodes().size()) {
  std::iota(parents_.begin(), parents_.end(), 0U);
}

Result<ResultsOfOriginal> ResultsOfOriginal::find(const ProvedPair& pair,
                                                  const std::vector<char>& as_original) {
  ResultsOfOriginal out(pair);
  if (auto done = out.look(as_original); !done) return std::move(done).error();
  return out;
}

std::vector<NodeId> ResultsOfOriginal::rounded_otherwise(
    const std::vector<char>& as_original) const {
  const Graph& mutant = pair_->mutant;
  const auto needed = mutant.needed_by_outputs();
  std::vector<char> otherwise(mutant.nodes().size(), 0);
  std::vector<NodeId> out;
  for (const NodeId id : mutant.ids()) {
    const Node& node = mutant.node(id);
    if (node.op() == nullptr) continue;
    const bool reads = std::ranges::any_of(
        node.operands, [&](NodeId operand) { return otherwise[operand.index()] != 0; });
    otherwise[id.index()] = reads || as_original[id.index()] == 0 ? 1 : 0;
    if (otherwise[id.index()] != 0 && needed[id.index()] != 0 && has_results(mutant, id))
      out.push_back(id);
  }
  return out;
}

Status ResultsOfOriginal::look(const std::vector<char>& as_original) {
  const auto otherwise = rounded_otherwise(as_original);
  Dim elements = 0;
  for (const NodeId id : otherwise) {
    looked_at_[id] = kNowhere;
    elements += count(*pair_->mutant.node(id).type.shape);
  }
  if (otherwise.empty() || elements > kMostElements) return Done{};

  Counterparts wanted;
  std::map<NodeId, Slots> slots;
  for (const NodeId id : otherwise) {
    const auto keys = keys_of(pair_->store, pair_->table.of_mutant(id));
    if (!keys) return keys.error();
    slots[id] = wanted.want(*keys);
  }
  std::vector<std::uint32_t> holders(wanted.slots(), kNowhere);
  const auto needed = pair_->original.needed_by_outputs();
  for (const NodeId id : pair_->original.ids()) {
    if (needed[id.index()] == 0 || !has_results(pair_->original, id)) continue;
    const auto keys = keys_of(pair_->store, pair_->table.of_original(id));
    if (!keys) return keys.error();
    for (const Counterparts::Match& match : wanted.find(*keys)) {
      std::uint32_t& holder = holders[match.slot];
      if (holder == kNowhere) holder = number(id);
      parents_[root(number(id))] = root(holder);
    }
  }
  for (std::uint32_t& holder : holders) {
    if (holder != kNowhere) holder = root(holder);
  }
  std::vector<char> is_seen(wanted.slots(), 0);
  for (const NodeId id : otherwise) looked_at_[id] = holder_of_all(slots[id], holders, is_seen);
  return Done{};
}

std::uint32_t ResultsOfOriginal::root(std::uint32_t node) const {
  while (parents_[node] != node) node = parents_[node];
  return node;
}

std::optional<NodeId> ResultsOfOriginal::holder(NodeId mine) const {
  std::uint32_t node = kNowhere;
  if (const auto it = looked_at_.find(mine); it != looked_at_.end()) {
    node = it->second;
  } else if (!pair_->table.is_new(pair_->table.of_mutant(mine))) {
    node = root(number(in_original(*pair_, mine)));
  }
  if (node == kNowhere) return std::nullopt;
  return NodeId(node);
}

}  // namespace pet
