// A file without weight programs, whose constants may still follow from the original's: some are
// these with their elements elsewhere, and the folding that this tool knows is tried and the
// constants compared with what it yields (theory: section 6a). What does not follow is what it is.
#pragma once

#include "core/ir/weight_programs.h"
#include "verify/weights/unfolding.h"

namespace pet {

struct MatchedConstants {
  WeightPrograms programs;  // that the mutant's file might carry
  Unfolded mutant;
  std::size_t count = 0;      // constants that are not exactly what folding yields
  std::uint64_t max_ulp = 0;  // how far off, at worst (fold_rounding.h), rounded up
};

// Nothing where every constant of the mutant is one of the original's, or far from everything that
// follows from these: farther than `most_ulp` (fold_rounding.h) is no rounding.
Result<std::optional<MatchedConstants>> match_constants(const Graph& original, const Graph& mutant,
                                                        double most_ulp, std::size_t threads,
                                                        const std::stop_token& stop);

}  // namespace pet
