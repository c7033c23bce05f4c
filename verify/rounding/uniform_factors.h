// Sums of products of which some factors have the same size everywhere, as inputs and results of
// functions have: what is summed over these alone is added up before anything is multiplied.
#pragma once

#include <optional>
#include <vector>

#include "core/eval/evaluate.h"
#include "verify/rounding/element_sizes.h"

namespace pet {

// The sizes of a sum; operands by number, results of applications behind them. Nothing where no
// term becomes much shorter so.
Result<std::optional<LaneTensor<double>>> summed_beforehand(
    const IndexedSum& sum, const std::vector<const Sizes*>& operands,
    const RealEvaluator<double>& evaluator);

}  // namespace pet
