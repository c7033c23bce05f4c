// ViT-B/16 of torchvision as the exporter through TorchScript writes it, whatever PyTorch's
// nn.MultiheadAttention was made of at the time: that is the caller's. Internal to datasets/models.
#pragma once

#include <functional>

#include "datasets/models/script_layers.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {

struct VitParts {
  TransformerSizes layers;
  std::int64_t rows = 0;  // the class token and the patches
  std::string zero;       // the index that the model takes at its end
};

// Of x at the path of its module.
using ScriptAttention = std::function<std::string(ScriptGraph& graph, const std::string& x,
                                                  const std::string& module, const VitParts& vit)>;

std::string script_vit(const ModelRequest& request, std::int64_t opset,
                       const ScriptAttention& attention);

// a // b of two sizes.
std::string floor_divided(ScriptGraph& graph, const std::string& a, std::int64_t b);
std::string shape_of(ScriptGraph& graph, const std::vector<std::string>& sizes);

}  // namespace pet::datasets
