// scaled_dot_product_attention as the exporter through torch.export expands it. Internal to
// datasets/models.
#pragma once

#include "datasets/models/program_layers.h"

namespace pet::datasets {

// Queries, keys and values: [batch, heads, rows, features].
struct Heads {
  Tensor queries, keys, values;
  std::int64_t heads = 0, rows = 0, features = 0;
};

Tensor attention(ProgramGraph& graph, const Heads& heads);
// `mask` is added to the scores. A row with nothing to look at gives zeros, not NaN.
Tensor masked_attention(ProgramGraph& graph, const Heads& heads, const Tensor& mask);

}  // namespace pet::datasets
