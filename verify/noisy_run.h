// A program run with rounding errors that are drawn: Monte Carlo arithmetic (D. S. Parker, 1997),
// so small that results depend on them linearly. What they make of a result, over several runs,
// says how large its errors are; that errors cancel which are the same ones, too.
#pragma once

#include <array>
#include <functional>
#include <stop_token>

#include "core/eval/meaning_code.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet {

// Of the elements of one value, in units of one rounding of a number of size 1.
struct DrawnErrors {
  // By draw of inputs, row-major. Not finite where the value is not.
  std::vector<std::vector<double>> values;
  std::vector<std::vector<double>> errors;  // root of the mean square over the runs
};

// Inputs are drawn as ordinary ones are (normal), twenty times as large, and far from 0 for their
// differences: all on one side, and every other one on the other. What they are is the same for
// both programs of a pair.
inline constexpr std::size_t kErrorDraws = 4;

// By draw: whether every number on the way was finite, and within the floats.
using FiniteDraws = std::array<bool, kErrorDraws>;

// Visits the wanted nodes (by node) in order; those behind operators without a meaning of ours have
// no values and are not visited.
Result<FiniteDraws> noisy_run(const GraphCode& program, const std::vector<char>& wanted,
                              const Digest& seed, std::size_t threads, const std::stop_token& stop,
                              const std::function<Status(NodeId, DrawnErrors)>& visit);

}  // namespace pet
