#include "verify/rounded_twice.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace pet {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
// About thirty bytes each.
constexpr Dim kMostResults = Dim{1} << 25;

class Search {
 public:
  Search(const ProvedPair& pair, const std::vector<char>& as_original)
      : pair_(pair),
        mutant_(pair.mutant),
        as_original_(as_original),
        needed_(mutant_.needed_by_outputs()),
        groups_(mutant_.nodes().size()) {
    std::iota(groups_.begin(), groups_.end(), 0U);
  }

  Result<bool> run() {
    mark_otherwise();
    std::vector<NodeId> otherwise;
    for (const NodeId id : mutant_.ids()) {
      if (is_source(id) && reads_otherwise(id)) otherwise.push_back(id);
    }
    if (otherwise.empty()) return false;
    if (number_of_results(otherwise) > kMostResults) return true;
    for (const NodeId id : otherwise) {
      const auto twice = want(id);
      if (!twice || *twice) return twice;
    }
    owners_.assign(wanted_.slots(), kNobody);
    for (const NodeId id : mutant_.ids()) {
      if (!is_source(id)) continue;
      if (auto done = join_owners(id); !done) return std::move(done).error();
    }
    return any_reads_two();
  }

 private:
  bool applies_functions(NodeId id) const {
    return mutant_.has_meaning(id) && !mutant_.meaning(id).applications.empty();
  }
  bool is_opaque_source(NodeId id) const { return is_opaque(mutant_.node(id)); }
  bool is_source(NodeId id) const {
    return needed_[id.index()] != 0 && (applies_functions(id) || is_opaque_source(id));
  }

  // Constants and inputs are as they are.
  void mark_otherwise() {
    otherwise_.assign(mutant_.nodes().size(), 0);
    for (const NodeId id : mutant_.ids()) {
      const Node& node = mutant_.node(id);
      if (node.op() == nullptr) continue;
      const bool reads = std::ranges::any_of(
          node.operands, [&](NodeId operand) { return otherwise_[operand.index()] != 0; });
      otherwise_[id.index()] = reads || as_original_[id.index()] == 0 ? 1 : 0;
    }
  }

  bool reads_otherwise(NodeId id) const {
    return std::ranges::any_of(mutant_.node(id).operands,
                               [&](NodeId operand) { return otherwise_[operand.index()] != 0; });
  }

  // By application, whether its arguments are rounded otherwise.
  std::vector<char> applied_otherwise(NodeId id) const {
    const auto& operands = mutant_.node(id).operands;
    std::vector<char> out;
    const auto is_otherwise = [&](const Access& read) {
      const auto k = static_cast<std::size_t>(read.operand);
      return (k < operands.size() ? otherwise_[operands[k].index()] : out[k - operands.size()]) !=
             0;
    };
    for (const Application& application : mutant_.meaning(id).applications) {
      const bool reads = std::ranges::any_of(application.elements, is_otherwise) ||
                         (application.window && is_otherwise(application.window->read));
      out.push_back(reads ? 1 : 0);
    }
    return out;
  }

  Dim number_of_results(const std::vector<NodeId>& nodes) const {
    Dim out = 0;
    for (const NodeId id : nodes) {
      if (!applies_functions(id)) continue;
      for (const Application& application : mutant_.meaning(id).applications)
        out += count(application.out);
    }
    return out;
  }

  // Whether it has one of them twice by itself.
  Result<bool> want(NodeId id) {
    if (!applies_functions(id)) return false;
    const auto digests = argument_digests(pair_, pair_.table.computed_by_mutant(id));
    if (!digests) return digests.error();
    const auto otherwise = applied_otherwise(id);
    std::vector<Counterparts::Slot> slots;
    for (std::size_t k = 0; k < digests->size(); ++k) {
      if (otherwise[k] == 0) continue;
      const auto more = wanted_.want((*digests)[k]);
      slots.insert(slots.end(), more.begin(), more.end());
    }
    std::ranges::sort(slots);
    return std::ranges::adjacent_find(slots) != slots.end();
  }

  // Who has a wanted result in common with others is one with them.
  Status join_owners(NodeId id) {
    if (is_opaque_source(id)) {
      join(id, values_.try_emplace(pair_.table.of_mutant(id), id.value).first->second);
      return Done{};
    }
    const auto digests = argument_digests(pair_, pair_.table.computed_by_mutant(id));
    if (!digests) return digests.error();
    for (const auto& list : *digests) {
      for (const Counterparts::Match& match : wanted_.find(list)) {
        std::uint32_t& owner = owners_[match.slot];
        if (owner == kNobody) owner = id.value;
        join(id, owner);
      }
    }
    return Done{};
  }

  void join(NodeId id, std::uint32_t other) { groups_[group(id.value)] = group(other); }
  std::uint32_t group(std::uint32_t node) const {
    while (groups_[node] != node) node = groups_[node];
    return node;
  }

  // Nothing of what it reads is left in its result but by way of functions.
  bool yields_results_alone(NodeId id) const {
    if (is_opaque_source(id)) return true;
    const auto operands = static_cast<int>(mutant_.node(id).operands.size());
    return std::ranges::all_of(mutant_.meaning(id).sum.terms, [&](const Term& term) {
      return std::ranges::all_of(term.factors,
                                 [&](const Access& read) { return read.operand >= operands; });
    });
  }

  bool any_reads_two() const {
    std::vector<std::size_t> members(groups_.size(), 0);
    for (const NodeId id : mutant_.ids()) {
      if (is_source(id)) ++members[group(id.value)];
    }
    // By node, of what it reads without a function in between: who has it, by group. Most are in
    // none that has two.
    std::vector<std::map<std::uint32_t, std::uint32_t>> read(groups_.size());
    for (const NodeId id : mutant_.ids()) {
      if (needed_[id.index()] == 0) continue;
      auto& mine = read[id.index()];
      const bool begins_anew = is_source(id) && yields_results_alone(id);
      for (const NodeId operand : mutant_.node(id).operands) {
        for (const auto& [group, owner] : read[operand.index()]) {
          if (mine.try_emplace(group, owner).first->second != owner) return true;
        }
      }
      if (begins_anew) mine.clear();
      if (!is_source(id) || members[group(id.value)] < 2) continue;
      if (mine.try_emplace(group(id.value), id.value).first->second != id.value) return true;
    }
    return false;
  }

  const ProvedPair& pair_;
  const Graph& mutant_;
  const std::vector<char>& as_original_;
  std::vector<char> needed_;
  std::vector<char> otherwise_;  // by node: rounded otherwise than in the original
  Counterparts wanted_;
  std::vector<std::uint32_t> owners_;        // by slot: a node of the mutant
  std::map<ValueId, std::uint32_t> values_;  // of opaque nodes
  std::vector<std::uint32_t> groups_;        // by node: a forest of those that share results
};

}  // namespace

Result<bool> reads_rounded_twice(const ProvedPair& pair, const std::vector<char>& as_original) {
  return Search(pair, as_original).run();
}

}  // namespace pet
