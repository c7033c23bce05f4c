// Values for a model's input, drawn at random by its type and by what its readers admit.
#pragma once

#include "core/ir/tensor.h"
#include "core/onnx/input_ranges.h"
#include "core/util/result.h"
#include "core/util/rng.h"

namespace pet {

enum class Sign { Both, Positive, Negative };

// How large floats are and on which side of zero, as far as the range lets them be.
struct Spread {
  double scale = 1;
  Sign sign = Sign::Both;
};

// Floats: normal numbers, or uniform where the range has two ends. Integers: uniform in the range;
// 0 or 1, which every mask and nearly every index admits, where it has no end. Bools: either. An
// Error of kind Unsupported for other types and for an unknown shape. REQUIRES: low <= high
Result<Tensor> random_tensor(const TensorType& type, const ValueRange& range, const Spread& spread,
                             Rng& rng);

}  // namespace pet
