#include "verify/rounding/rounded_twice.h"

#include <algorithm>
#include <functional>
#include <map>

#include "verify/rounding/roundings.h"
#include "verify/values/totality.h"

namespace pet {
namespace {

// Results looked at in one pass; some thirty bytes each.
constexpr std::size_t kAtOnce = std::size_t{1} << 25;
constexpr std::uint64_t kUnknown = 0;

class Search {
 public:
  Search(const ProvedPair& pair, const std::stop_token& stop)
      : pair_(pair),
        mutant_(pair.mutant),
        stop_(stop),
        needed_(mutant_.needed_by_outputs()),
        own_(mutant_.nodes().size(), 0) {}

  Result<bool> run() {
    mark_own();
    if (has_opaque_twice()) return true;
    std::size_t results = 0;
    for (const NodeId id : mutant_.ids()) {
      if (!applies_functions(id)) continue;
      const auto own = applied_to_own(id);
      if (std::ranges::find(own, char{1}) != own.end()) results += number_of_results(id);
    }
    const std::size_t passes = (results + kAtOnce - 1) / kAtOnce;
    for (std::size_t pass = 0; pass < passes; ++pass) {
      const auto found = look({.pass = pass, .passes = passes});
      if (!found || *found) return found;
    }
    return false;
  }

 private:
  // Results whose digests leave that remainder.
  struct Share {
    std::size_t pass = 0;
    std::size_t passes = 1;
    bool has(const Hash128& digest) const { return digest.high % passes == pass; }
  };

  bool applies_functions(NodeId id) const {
    return needed_[id.index()] != 0 && applies_function(mutant_, id);
  }

  // What the mutant computes in its own way, or from that.
  void mark_own() {
    for (const NodeId id : mutant_.ids()) {
      const Node& node = mutant_.node(id);
      if (node.op() == nullptr) continue;
      const bool reads = std::ranges::any_of(
          node.operands, [&](NodeId operand) { return own_[operand.index()] != 0; });
      const bool is_new = pair_.table.is_new(pair_.table.computed_by_mutant(id));
      own_[id.index()] = reads || is_new ? 1 : 0;
    }
  }

  bool has_opaque_twice() const {
    std::map<ValueId, NodeId> first;
    for (const NodeId id : mutant_.ids()) {
      if (needed_[id.index()] == 0 || !is_opaque(mutant_.node(id))) continue;
      const NodeId other = first.try_emplace(pair_.table.of_mutant(id), id).first->second;
      if (other != id && (own_[id.index()] != 0 || own_[other.index()] != 0)) return true;
    }
    return false;
  }

  // By application.
  std::vector<char> applied_to_own(NodeId id) const {
    const auto& operands = mutant_.node(id).operands;
    std::vector<char> out;
    const auto is_own = [&](const Access& read) {
      const auto k = static_cast<std::size_t>(read.operand);
      return (k < operands.size() ? own_[operands[k].index()] : out[k - operands.size()]) != 0;
    };
    for (const Application& application : mutant_.meaning(id).applications) {
      const bool reads = std::ranges::any_of(application.elements, is_own) ||
                         (application.window && is_own(application.window->read));
      out.push_back(reads ? 1 : 0);
    }
    return out;
  }

  std::size_t number_of_results(NodeId id) const {
    Dim out = 0;
    for (const Application& application : mutant_.meaning(id).applications)
      out += count(application.out);
    return static_cast<std::size_t>(out);
  }

  // Two of one share: most programs have none that are equal, whoever rounded them.
  Result<bool> look(const Share& share) {
    Counterparts wanted(stop_);
    std::size_t number = 0;
    const auto want = [&](const std::vector<Hash128>& digests, bool is_own) {
      if (is_own) {
        wanted.want(digests);
        number += digests.size();
      }
    };
    if (auto done = for_each_result(share, want); !done) return std::move(done).error();
    bool has_equal = wanted.slots() < number;
    const auto find = [&](const std::vector<Hash128>& digests, bool is_own) {
      has_equal = has_equal || (!is_own && !wanted.find(digests).empty());
    };
    if (!has_equal) {
      if (auto done = for_each_result(share, find); !done) return std::move(done).error();
    }
    return has_equal ? any_rounded_twice(share, wanted) : false;
  }

  using Visit = std::function<void(const std::vector<Hash128>& digests, bool is_own)>;

  // Application by application of all nodes.
  Status for_each_result(const Share& share, const Visit& visit) const {
    for (const NodeId id : mutant_.ids()) {
      if (!applies_functions(id)) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      auto digests = pair_.store.argument_digests(pair_.table.computed_by_mutant(id));
      if (!digests) return std::move(digests).error();
      const auto own = applied_to_own(id);
      for (std::size_t k = 0; k < digests->size(); ++k) {
        std::erase_if((*digests)[k], [&](const Hash128& digest) { return !share.has(digest); });
        visit((*digests)[k], own[k] != 0);
      }
    }
    // What a look that ended early did not see is not known.
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return Done{};
  }

  Result<bool> any_rounded_twice(const Share& share, Counterparts& wanted) const {
    Roundings roundings(pair_.store.code().mutant(), pair_.evaluator.threads(), stop_);
    std::vector<std::uint64_t> rounded(wanted.slots(), kUnknown);  // by slot, as who did it first
    for (const NodeId id : mutant_.ids()) {
      if (!applies_functions(id)) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const auto results = pair_.store.argument_digests(pair_.table.computed_by_mutant(id));
      if (!results) return results.error();
      const auto by = roundings.digests(id);
      if (!by) return by.error();
      for (std::size_t k = 0; k < results->size(); ++k) {
        for (const Counterparts::Match& match : wanted.find((*results)[k])) {
          if (!share.has((*results)[k][match.element])) continue;
          const std::uint64_t mine = (*by)[k][match.element].low | 1U;  // not kUnknown
          std::uint64_t& theirs = rounded[match.slot];
          if (theirs == kUnknown) theirs = mine;
          if (theirs != mine) return true;
        }
      }
    }
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return false;
  }

  const ProvedPair& pair_;
  const Graph& mutant_;
  const std::stop_token& stop_;
  std::vector<char> needed_;
  std::vector<char> own_;  // by node
};

}  // namespace

Result<bool> has_rounded_twice(const ProvedPair& pair, const std::stop_token& stop) {
  return Search(pair, stop).run();
}

}  // namespace pet
