#include "core/program/mutate/generator.h"

#include "core/util/check.h"

namespace pet {

MutantGenerator::MutantGenerator(const Graph& subprogram) {
  PET_CHECK(subprogram.outputs().size() == 1, "a subprogram that is mutated has one output");
  const TensorType& wanted = subprogram.node(subprogram.outputs()[0]).type;
  const Digest own = subprogram.digest();
  for (auto family : {exchanges, joins_and_cuts}) {
    for (Mutant& mutant : family(subprogram)) {
      const bool fits = mutant.program.node(mutant.program.outputs()[0]).type == wanted;
      if (fits && mutant.program.digest() != own) waiting_.push_back(std::move(mutant));
    }
  }
}

std::optional<Mutant> MutantGenerator::next() {
  if (waiting_.empty()) return std::nullopt;
  Mutant mutant = std::move(waiting_.front());
  waiting_.pop_front();
  return mutant;
}

}  // namespace pet
