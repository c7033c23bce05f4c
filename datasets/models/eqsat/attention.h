// The attention of eqsat's transformers, over the rows of a matrix. Internal to datasets/models.
#pragma once

#include <string>

#include "datasets/models/network.h"

namespace pet::datasets {

struct EncoderSizes {
  std::int64_t tokens, width, heads, layers, hidden;
};

// Queries times transposed keys, times values, times the weight of the output: nothing scales or
// bounds the scores, so that queries and keys are as small as `gain` makes them.
Value plain_attention(Network& net, const std::string& scope, const Value& x,
                      const EncoderSizes& sizes, double gain);

// Layers of attention and of two products with a Relu between them, each added to what it reads.
Value plain_encoder(Network& net, Value x, const EncoderSizes& sizes);

}  // namespace pet::datasets
