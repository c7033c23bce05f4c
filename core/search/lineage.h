// What a mutant is called in a search, and how it came about.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/program/move.h"
#include "core/util/id.h"

namespace pet {

// In order of proposal, among the mutants of one subprogram. Corrected ones have an id of their
// own.
using MutantId = Id<struct MutantTag>;

struct Lineage {
  MutantId id;
  // What it was made of, where that is a mutant: what was corrected, or what a later round started
  // from.
  std::optional<MutantId> parent;
  std::size_t round = 0;    // of PET's Algorithm 2
  std::vector<Move> moves;  // all of them, from the subprogram on
  bool operator==(const Lineage&) const = default;
};

// A mutant that was wrong somewhere is part of it.
inline bool is_corrected(const Lineage& lineage) {
  return std::ranges::any_of(
      lineage.moves, [](const Move& move) { return std::holds_alternative<move::Correct>(move); });
}
// That is what was done last: it is what the correction made of its parent.
inline bool is_correction(const Lineage& lineage) {
  return !lineage.moves.empty() && std::holds_alternative<move::Correct>(lineage.moves.back());
}

}  // namespace pet
