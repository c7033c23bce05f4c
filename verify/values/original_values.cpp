#include "verify/values/original_values.h"

#include <algorithm>

namespace pet {
namespace {

// So few that each can be looked at for each value of the mutant.
constexpr std::size_t kFewNodes = 512;

}  // namespace

OriginalValues::OriginalValues(const Graph& original, const ValueTable& table, ResidueStore& store)
    : original_(original),
      table_(table),
      store_(store),
      stay_(original.nodes().size() <= kFewNodes && store.has_room_for_all()) {}

Result<std::vector<NodeId>> OriginalValues::equal_to(ValueId id) {
  if (stay_ && table_.node(id).type.shape) return compared_with(id);
  if (auto done = digest_all(); !done) return std::move(done).error();
  const auto digest = store_.digest(id);
  if (!digest) return digest.error();
  const auto it = by_digest_.find(*digest);
  return it == by_digest_.end() ? std::vector<NodeId>{} : it->second;
}

Result<std::vector<NodeId>> OriginalValues::compared_with(ValueId id) {
  const TensorType& type = table_.node(id).type;
  std::vector<NodeId> out;
  std::shared_ptr<const ResidueTensor> mine;
  for (const NodeId node : original_.ids()) {
    if (original_.node(node).type != type) continue;
    const ValueId other = table_.of_original(node);
    if (other != id) {
      if (!mine) {
        auto residues = store_.residues(id);
        if (!residues) return std::move(residues).error();
        mine = *std::move(residues);
      }
      const auto theirs = store_.residues(other);
      if (!theirs) return theirs.error();
      if (!std::ranges::equal(mine->values(), (*theirs)->values())) continue;
    }
    out.push_back(node);
  }
  return out;
}

// In order, so that each is computed while its operands are there.
Status OriginalValues::digest_all() {
  if (is_digested_) return Done{};
  for (const NodeId node : original_.ids()) {
    const auto digest = store_.digest(table_.of_original(node));
    if (!digest) return digest.error();
    by_digest_[*digest].push_back(node);
  }
  is_digested_ = true;
  return Done{};
}

}  // namespace pet
