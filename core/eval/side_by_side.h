// Small sums of real numbers on many inputs at once: each step of a term's loops is done for all
// lanes before the next one, over elements whose lanes lie side by side. Of tensors of a few
// elements the loops cost more than the numbers; this way they are run once for all lanes.
#pragma once

#include <span>

#include "core/eval/meaning_code.h"
#include "core/eval/ring.h"

namespace pet {

// Whether that is the faster road.
bool suits_side_by_side(const MeaningCode& code, std::size_t lanes);

// The sum of a meaning. The results of its applications come behind the operands.
// REQUIRES: the operands have the shapes for which it was compiled
template <class T>
LaneTensor<T> sum_side_by_side(const RealRing<T>& ring, const MeaningCode& code,
                               std::span<const LaneTensor<T>* const> operands);

}  // namespace pet
