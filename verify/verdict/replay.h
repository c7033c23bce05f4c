// Witnesses: both programs run with their real operators and stored weights on drawn inputs.
#pragma once

#include <string>
#include <vector>

#include "core/program/equivalence.h"
#include "verify/values/pair_code.h"

namespace pet {

// By output, row-major.
enum class Mark : char { Equal = 0, Undecided = 1, Different = 2 };
using Marks = std::vector<std::vector<char>>;  // of Mark

// The input of that name and type in the run of `seed`: as its remainder by kWitnessDraws says,
// numbers of either sign, of one, of the other; small integers of either sign, of one, of the
// other, few that are not 0. What is no float is such a number without its fraction, or whether it
// is above 0; among numbers above 0 it is 1: a mask that hides nothing, and an index that hardly
// any axis is too short for. REQUIRES: elements that are numbers, a known shape
std::vector<float> witness_input(const std::string& name, const TensorType& type,
                                 std::uint64_t seed);
inline constexpr std::uint64_t kWitnessDraws = 7;
inline constexpr std::uint64_t kRealDraws = 3;  // the first ones draw no integers

// Turns undecided positions into different ones where real runs differ by more than rounding can
// explain, counts them in `outputs`, and keeps one of each output as its witness (in detail: of
// small integers, where any tell the two apart); runs until every undecided output has one, or
// enough was tried. Outputs behind an opaque node stay as they are.
void replay(const PairCode& programs, const Digest& seed, const ProofOptions& options, Marks& marks,
            std::vector<OutputVerdict>& outputs);

// The same in one run of each, until one output has a witness: enough for most that differ.
void glance(const PairCode& programs, const Digest& seed, const ProofOptions& options, Marks& marks,
            std::vector<OutputVerdict>& outputs);

}  // namespace pet
