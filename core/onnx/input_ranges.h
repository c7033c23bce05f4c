// What values a model's inputs may be given so that the nodes that read them can run: an index lies
// inside the axis it indexes, what a logarithm reads is positive. Read off the nodes that read an
// input, directly or through operators that only move or convert values.
#pragma once

#include <limits>
#include <map>
#include <string>

#include "core/onnx/model.h"

namespace pet {

// Both ends belong to it where they are finite.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool operator==(const ValueRange&) const = default;
};

// By the name of the input; one that is not there may hold anything. An Error names the input that
// cannot be given values at random (a shape, an index into an axis of length 0), and its reader.
// Inputs for which somebody says a range have that one.
Result<std::map<std::string, ValueRange>> input_ranges(
    const Model& model, const std::map<std::string, ValueRange>& said = {});

}  // namespace pet
