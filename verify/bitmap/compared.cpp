#include "verify/bitmap/compared.h"

#include <algorithm>

#include "core/util/rng.h"
#include "verify/values/idle.h"

namespace pet {

Compared::Compared(const Graph& original, const Graph& mutant, const ProofOptions& options)
    : own_original_(without_idle(original)),
      own_mutant_(without_idle(mutant)),
      original_(own_original_ ? *own_original_ : original),
      mutant_(own_mutant_ ? *own_mutant_ : mutant),
      code_(original_, mutant_),
      options_(options),
      seed_(options.proof_seed ? *options.proof_seed : std::to_string(fresh_entropy().word())),
      values_(original_, mutant_,
              options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols),
      computed_(values_),
      marks_(original_.outputs().size()) {
  while (computed_.next_of_mutant()) continue;
}

bool Compared::is_one_program() const {
  const auto& theirs = original_.outputs();
  const auto& mine = mutant_.outputs();
  return std::ranges::equal(theirs, mine, [&](NodeId a, NodeId b) {
    return computed_.of_original(a) == computed_.of_mutant(b);
  });
}

void Compared::begin(const Digest& key, std::size_t primes) {
  residues_.reset();  // before there is another: each keeps as much as the memory allows
  residues_ = std::make_unique<ResidueComparison>(code_, values_, key, primes, options_);
}

Status Compared::compare(const Digest& key, std::size_t primes) {
  begin(key, primes);
  const Asking asking(options_, "residues of everything");
  if (auto status = residues_->run(); !status) return status;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const bool is_known = original_.node(original_.outputs()[i]).type.shape.has_value() &&
                          mutant_.node(mutant_.outputs()[i]).type.shape.has_value();
    if (!is_known) continue;
    if (auto status = residues_->mark(i, marks_[i]); !status) return status;
  }
  return Done{};
}

std::vector<EqualTensors> Compared::equal_tensors() const {
  const ValueTable& joined = residues_->table();
  std::vector<EqualTensors> out;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const NodeId theirs = original_.outputs()[i];
    const NodeId mine = mutant_.outputs()[i];
    const bool compared =
        !marks_[i].empty() || joined.of_original(theirs) == joined.of_mutant(mine);
    if (compared && computed_.of_original(theirs) != computed_.of_mutant(mine))
      out.push_back({theirs, mine, marks_[i]});
  }
  for (const NodeId id : mutant_.ids()) {
    if (!is_opaque(mutant_.node(id))) continue;
    for (const NodeId operand : mutant_.node(id).operands) {
      const ValueId value = joined.of_mutant(operand);
      if (!joined.is_new(value) && computed_.is_new(computed_.of_mutant(operand)))
        out.push_back({joined.value(value).node, operand, {}});
    }
  }
  return out;
}

}  // namespace pet
