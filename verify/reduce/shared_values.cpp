#include "verify/reduce/shared_values.h"

#include <map>

#include "core/util/rng.h"
#include "verify/values/residue_store.h"

namespace pet::reduce {
namespace {

constexpr std::size_t kPrimes = 2;

class Sharing {
 public:
  Sharing(const Pair& pair, const ProofOptions& options, const Digest& key)
      : pair_(pair),
        evaluator_(primes(key), Digester("hash").add(key).finish(), options.threads, options.stop),
        table_(pair.original, pair.mutant,
               options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols),
        code_(pair.original, pair.mutant),
        store_(table_, code_, evaluator_, Digester("points").add(key).finish(),
               options.memory_bytes, options.stop),
        stop_(options.stop) {}

  Result<SharedValues> run() {
    for (const NodeId id : pair_.original.ids()) {
      const auto known = look_at(table_.of_original(id));
      note(id, known, out_.of_original, out_.earlier_in_original, in_original_, true);
    }
    while (const auto value = table_.next_of_mutant()) {
      const NodeId id(out_.of_mutant.size());
      const auto known = look_at(*value);
      note(id, known, out_.of_mutant, out_.earlier_in_mutant, in_mutant_, false);
      const auto& theirs = out_.of_mutant.back();
      if (theirs && table_.is_new(*value)) table_.join(*value, table_.of_original(*theirs));
    }
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return std::move(out_);
  }

 private:
  struct Known {
    std::optional<Digest> value;     // with its type
    std::optional<Digest> elements;  // whatever their shape
  };

  static std::vector<PrimeField> primes(const Digest& key) {
    KeyStream keys(Digester("primes").add(key).finish(), 0);
    return draw_primes(keys, kPrimes);
  }

  Known look_at(ValueId id) {
    Known out;
    if (const auto digest = store_.digest(id)) out.value = *digest;
    const Node& node = table_.node(id);
    if (!node.type.shape || node.type.dtype != DType::Float || count(*node.type.shape) == 0)
      return out;
    const auto residues = store_.residues(id);
    if (!residues) return out;
    Digester digester("elements");
    digester.add(std::as_bytes((*residues)->values()));
    out.elements = digester.finish();
    return out;
  }

  void note(NodeId id, const Known& known, std::vector<std::optional<NodeId>>& of,
            std::vector<std::optional<NodeId>>& earlier, std::map<Digest, NodeId>& elements,
            bool is_original) {
    auto& same = of.emplace_back();
    if (known.value && is_original) {
      same = originals_.try_emplace(*known.value, id).first->second;
    } else if (known.value) {
      if (const auto it = originals_.find(*known.value); it != originals_.end()) same = it->second;
    }
    auto& before = earlier.emplace_back();
    if (!known.elements) return;
    const auto [it, is_new] = elements.try_emplace(*known.elements, id);
    if (!is_new) before = it->second;
  }

  const Pair& pair_;
  const ResidueEvaluator evaluator_;
  ValueTable table_;
  PairCode code_;
  ResidueStore store_;
  std::stop_token stop_;
  SharedValues out_;
  std::map<Digest, NodeId> originals_;
  std::map<Digest, NodeId> in_original_;
  std::map<Digest, NodeId> in_mutant_;
};

}  // namespace

Result<SharedValues> shared_values(const Pair& pair, const ProofOptions& options) {
  const Digest key =
      Digester("shared values").add(options.proof_seed.value_or("")).add(digest_of(pair)).finish();
  return Sharing(pair, options, key).run();
}

}  // namespace pet::reduce
