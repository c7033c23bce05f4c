// Witnesses: both programs run with their real operators and stored weights on drawn inputs.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/program/equivalence.h"

namespace pet {

// By output, row-major.
enum class Mark : char { Equal = 0, Undecided = 1, Different = 2 };
using Marks = std::vector<std::vector<char>>;  // of Mark

// The input of that name in the run of `seed`: seeds in a row draw in each way, numbers of either
// sign, of one and of the other.
inline constexpr std::uint64_t kWitnessDraws = 3;
std::vector<float> witness_input(const std::string& name, const Shape& shape, std::uint64_t seed);

// Turns undecided positions into different ones where real runs differ by more than rounding can
// explain, counts them in `outputs`, and keeps the first of each output as its witness; runs until
// every undecided output has one, or enough was tried. Outputs behind an opaque node stay as they
// are.
void replay(const Graph& original, const Graph& mutant, const Digest& seed, std::size_t threads,
            const std::stop_token& stop, Marks& marks, std::vector<OutputVerdict>& outputs);

}  // namespace pet
