// The parameters of the transformers, under their names in PyTorch and in PyTorch's layout,
// whatever an exporter makes of them: every form of a network has the same ones.
#pragma once

#include "datasets/models/graph_writer.h"
#include "datasets/models/weights.h"

namespace pet::datasets {

struct Features {
  std::int64_t inputs = 0, outputs = 0;
};

// What the parameters of a linear layer are called.
struct LinearNames {
  std::string weight, bias;
};

// A parameter: its name, its shape and its numbers, row by row.
struct Parameter {
  std::string name;
  Dims shape;
  std::vector<float> numbers;
};

// Weights keep the size of independent inputs.
Parameter linear_weight(const Weights& weights, const std::string& name,
                        const Features& features);  // outputs x inputs
Parameter linear_bias(const Weights& weights, const std::string& name, std::int64_t outputs);
// Filters of a convolution of patches of an image in three colours.
Parameter patch_weight(const Weights& weights, const std::string& name, std::int64_t filters,
                       std::int64_t patch);
// The layer that the code of GPT-2 calls Conv1D: its weight is inputs x outputs.
Parameter conv1d_weight(const Weights& weights, const std::string& name, const Features& features);
Parameter norm_weight(const Weights& weights, const std::string& name, std::int64_t width);
Parameter norm_bias(const Weights& weights, const std::string& name, std::int64_t width);
// A table of embeddings, a class token, the embedding of positions.
Parameter embedding(const Weights& weights, const std::string& name, const Dims& shape);

// REQUIRES: a matrix.
Parameter transposed(const Parameter& matrix);

}  // namespace pet::datasets
