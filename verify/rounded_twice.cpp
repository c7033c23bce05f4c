#include "verify/rounded_twice.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/util/rng.h"

namespace pet {
namespace {

// Results looked at in one pass; some thirty bytes each.
constexpr std::size_t kAtOnce = std::size_t{1} << 25;
constexpr std::uint64_t kUnknown = 0;

// Of each element of the mutant's tensors who rounded it: a number of its own for what was computed
// or given, the same again where that was moved; of a constant its value.
class Roundings {
 public:
  Roundings(const ProvedPair& pair, const std::stop_token& stop)
      : mutant_(pair.mutant),
        code_(pair.store.code().mutant()),
        evaluator_(two_primes(), Digest{}, pair.evaluator.threads(), stop) {}

  // By application and element: equal where the arguments are the same roundings.
  Result<std::vector<std::vector<Hash128>>> digests(NodeId id) {
    tensors_.clear();
    for (const NodeId moved : moved_on_the_way_to(id)) {
      auto tensor = of(moved);
      if (!tensor) return std::move(tensor).error();
      tensors_.emplace(moved, *std::move(tensor));
    }
    return evaluator_.argument_digests(*code_.at(id), operands_of(id));
  }

 private:
  static std::vector<PrimeField> two_primes() {
    KeyStream keys(Digester("roundings").finish(), 0);
    return draw_primes(keys, 2);
  }

  bool is_moved(NodeId id) const {
    return mutant_.has_meaning(id) && is_data_movement(mutant_.meaning(id));
  }

  // Its operands, and through data movement theirs; in order.
  std::set<NodeId> moved_on_the_way_to(NodeId id) const {
    std::set<NodeId> out;
    std::vector<NodeId> open = mutant_.node(id).operands;
    while (!open.empty()) {
      const NodeId next = open.back();
      open.pop_back();
      if (!out.insert(next).second || !is_moved(next)) continue;
      const auto& operands = mutant_.node(next).operands;
      open.insert(open.end(), operands.begin(), operands.end());
    }
    return out;
  }

  std::vector<const ResidueTensor*> operands_of(NodeId id) const {
    std::vector<const ResidueTensor*> out;
    for (const NodeId operand : mutant_.node(id).operands) out.push_back(&tensors_.at(operand));
    return out;
  }

  Result<ResidueTensor> of(NodeId id) const {
    if (is_moved(id)) return evaluator_.evaluate(*code_.at(id), operands_of(id));
    const Node& node = mutant_.node(id);
    if (!node.type.shape) return Error{"a tensor of unknown shape", ErrorKind::Unsupported};
    ResidueTensor out(*node.type.shape, evaluator_.ring().lanes());
    const Tensor* tensor = node.constant();
    const bool is_numbers =
        tensor != nullptr && node.type.dtype == DType::Float && tensor->all_finite();
    Rng rng(Digester("rounding").add(std::uint64_t{id.value}).finish().word());
    for (std::size_t lane = 0; lane < out.lanes(); ++lane) {
      const PrimeField& field = evaluator_.ring().field(lane);
      if (is_numbers) {
        field.residues(tensor->floats(), out.lane(lane));
      } else {
        for (std::uint32_t& x : out.lane(lane)) x = field.residue(rng.next());
      }
    }
    return out;
  }

  const Graph& mutant_;
  const GraphCode& code_;
  ResidueEvaluator evaluator_;
  std::map<NodeId, ResidueTensor> tensors_;  // on the way to one node
};

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
    return needed_[id.index()] != 0 && mutant_.has_meaning(id) &&
           !mutant_.meaning(id).applications.empty();
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
    bool has_equal = false;
    const auto want = [&](const std::vector<Hash128>& digests, bool is_own) {
      if (is_own) {
        wanted.want(digests);
        number += digests.size();
      }
    };
    if (auto done = for_each_result(share, want); !done) return std::move(done).error();
    has_equal = wanted.slots() < number;
    const auto find = [&](const std::vector<Hash128>& digests, bool is_own) {
      has_equal = has_equal || (!is_own && !wanted.find(digests).empty());
    };
    if (!has_equal) {
      if (auto done = for_each_result(share, find); !done) return std::move(done).error();
    }
    if (!has_equal) return false;
    return any_rounded_twice(share, wanted);
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
    Roundings roundings(pair_, stop_);
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
