// A mutant made again. A search keeps no programs: they follow from the subprogram, the
// configuration and the moves, each from what it was made of.
#pragma once

#include <span>
#include <string>

#include "core/program/equivalence.h"
#include "core/search/mutant_check.h"
#include "core/search/mutant_stream.h"
#include "core/search/search_config.h"

namespace pet {

// What is known of a mutant that is wanted. Moves alone do not tell it: what a later round starts
// from has several parts, and the same can be done to each.
struct Wanted {
  Lineage lineage;
  std::string digest{};   // of its program, in hex; empty: not known
  std::size_t which = 0;  // of those with the same parent and moves, in the order of proposal
  bool operator==(const Wanted&) const = default;
};

class MutantMaker {
 public:
  // REQUIRES: all outlive this
  MutantMaker(const Graph& subprogram, const SearchConfig& config, EquivalenceChecker& checker,
              std::stop_token stop)
      : subprogram_(subprogram),
        config_(config),
        stop_(std::move(stop)),
        check_(config, checker, stop_) {}

  // `line`: its ancestors, each made of the one before, and the mutant itself last. An Error where
  // it does not come about any more, or it was stopped. REQUIRES: the line is not empty
  Result<Proposal> make(std::span<const Wanted> line) const;

 private:
  Result<Proposal> made_from(const std::optional<Proposal>& parent, const Wanted& wanted) const;
  Result<Proposal> found(MutantStream& stream, const Wanted& wanted) const;
  Result<Proposal> corrected(const Proposal& mutant, const Wanted& wanted) const;

  const Graph& subprogram_;
  const SearchConfig& config_;
  std::stop_token stop_;
  MutantCheck check_;
};

}  // namespace pet
