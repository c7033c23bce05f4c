// A failing pair made smaller by trying: whatever still fails in the same way is taken and tried
// further, until nothing that is known to be smaller does (delta debugging).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "verify/reduce/failure.h"

namespace pet::reduce {

struct Limits {
  std::size_t tries = 5000;  // pairs that the engines are asked about
};

struct Reduced {
  std::string text;  // a case that fails in the same way
  PairSize from;
  PairSize to;
  std::size_t tries = 0;
  bool is_finished = false;  // nothing smaller was found; else stopped, or at its limit
};

// Begins with the first of `starts` that fails like `verdict` once it is written as a case. The
// same options and proof_seed give the same case, unless options.stop asks for an end. An Error
// where nothing fails, or none of the starts can be written as such a case.
Result<Reduced> reduced(std::span<const Pair> starts, const Verdict& verdict,
                        std::span<Engine* const> engines, const ProofOptions& options,
                        const Limits& limits = {});

// Two files, in the forms that can become a case: as they are, constants that both have as inputs,
// everything that both compute as inputs; with weight programs, if the second file has any, in
// place of what they explain.
std::vector<Pair> starts_of(const Model& original, const Model& mutant,
                            const ProofOptions& options);

}  // namespace pet::reduce
