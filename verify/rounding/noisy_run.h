// A program run with rounding errors that are drawn: Monte Carlo arithmetic (D. S. Parker, 1997),
// so small that results depend on them linearly. What they make of a result, over several runs,
// says how large its errors are; that errors cancel which are the same ones, too.
#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "core/eval/meaning_code.h"
#include "core/util/digest.h"
#include "core/util/result.h"
#include "core/util/zeroed_array.h"
#include "verify/rounding/drawing.h"

namespace pet {

// Of the elements of one value, row-major, in units of one rounding of a number of size 1.
struct DrawnErrors {
  ZeroedArray<double> values;
  // Root of the mean square over the runs; not finite where the value is not.
  ZeroedArray<double> errors;
};

// All `draws` at once, which takes so many times the memory of one. Visits the wanted nodes (by
// node) in order, with their errors by draw; those behind operators without a meaning of ours have
// no values and are not visited. Yields by draw whether every number on the way was finite, and
// within the floats.
Result<std::vector<bool>> noisy_run(
    const GraphCode& program, const std::vector<char>& wanted, std::span<const Draw> draws,
    const Digest& seed, std::size_t threads, const std::stop_token& stop,
    const std::function<Status(NodeId, std::vector<DrawnErrors>)>& visit);

}  // namespace pet
