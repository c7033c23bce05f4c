// Sums and functions of sizes, computed once for all positions that are alike.
#pragma once

#include <vector>

#include "core/eval/evaluate.h"
#include "verify/rounding/element_sizes.h"

namespace pet {

struct Summed {
  Alike alike;
  LaneTensor<double> of_classes;
};
// The sizes of a node's sum; results of applications come behind the operands.
Result<Summed> summed(const MeaningCode& code, const std::vector<const Sizes*>& operands,
                      const RealEvaluator<double>& evaluator);

// Whether a node yields a tensor as it is, under another shape.
bool is_same_in_a_row(const MeaningCode& code);

// Where the results of an application are alike; those of earlier ones come behind the operands.
Alike alike_results(const Application& application, const std::vector<const Sizes*>& operands);
// The elements at the first position of each class.
LaneTensor<double> at_classes(const LaneTensor<double>& elements, const Alike& alike);

// Every argument of an application, at one position of each class of `alike` (that of its results).
// REQUIRES: no window
std::vector<LaneTensor<double>> arguments_at(const Application& application, const Alike& alike,
                                             const std::vector<const Sizes*>& operands);

}  // namespace pet
