#include "verify/bitmap/residue_comparison.h"

#include "verify/verdict/replay.h"

namespace pet {
namespace {

std::vector<PrimeField> primes_of(const Digest& key, std::size_t number) {
  KeyStream keys(Digester("primes").add(key).finish(), 0);
  return draw_primes(keys, number);
}

}  // namespace

ResidueComparison::ResidueComparison(const PairCode& code, const ValueTable& original,
                                     const Digest& key, std::size_t primes,
                                     const ProofOptions& options)
    : code_(code),
      options_(options),
      table_(original),
      evaluator_(primes_of(key, primes), Digester("hash").add(key).finish(), options.threads,
                 options.stop),
      store_(table_, code, evaluator_, Digester("points").add(key).finish(), options.memory_bytes,
             options.stop),
      originals_(code.original().graph(), table_, store_) {}

Status ResidueComparison::run() {
  const auto all = static_cast<double>(code_.mutant().graph().nodes().size());
  std::size_t done = 0;
  while (const auto id = table_.next_of_mutant()) {
    options_.progress("residues of everything", static_cast<double>(++done) / all);
    if (!table_.is_new(*id) || table_.node(*id).op() == nullptr) continue;
    const auto equal = originals_.equal_to(*id);
    if (!equal) return equal.error();
    if (!equal->empty()) table_.join(*id, table_.of_original(equal->front()));
  }
  return Done{};
}

Status ResidueComparison::mark(std::size_t output, std::vector<char>& marked) {
  const ValueId a = table_.of_original(code_.original().graph().outputs()[output]);
  const ValueId b = table_.of_mutant(code_.mutant().graph().outputs()[output]);
  if (a == b) return Done{};
  const auto x = store_.residues(a);
  if (!x) return x.error();
  const auto y = store_.residues(b);
  if (!y) return y.error();
  marked.resize((*x)->size(), static_cast<char>(Mark::Equal));
  for (std::size_t lane = 0; lane < (*x)->lanes(); ++lane) {
    const auto original = (*x)->lane(lane);
    const auto mutant = (*y)->lane(lane);
    for (std::size_t i = 0; i < marked.size(); ++i)
      if (original[i] != mutant[i]) marked[i] = static_cast<char>(Mark::Undecided);
  }
  return Done{};
}

}  // namespace pet
