// The layers of the transformers as the exporter through TorchScript writes them, node by node.
// Each takes the path of its module, whose parameters it reads. Internal to datasets/models.
#pragma once

#include "datasets/models/script_graph.h"

namespace pet::datasets {

std::string unsqueeze(ScriptGraph& graph, const std::string& x, std::int64_t axis);

std::string reshape(ScriptGraph& graph, const std::string& x, const std::string& shape);

// x.size(axis): a scalar.
std::string size_of(ScriptGraph& graph, const std::string& x, std::int64_t axis);
// x.size(axis) of an axis counted from the end, as operator set 13 writes it: a scalar.
std::string size_from_end(ScriptGraph& graph, const std::string& x, std::int64_t axis);

struct RowSizes {
  std::string first, second;
};
RowSizes row_sizes(ScriptGraph& graph, const std::string& x);
// Reshapes x to [first, second, trailing...].
std::string view(ScriptGraph& graph, const std::string& x, const RowSizes& sizes,
                 const Dims& trailing);

// MatMul and Add, of a weight that the exporter transposed ahead.
std::string linear(ScriptGraph& graph, const std::string& x, const LinearNames& names,
                   const Features& features);
std::string linear(ScriptGraph& graph, const std::string& x, const std::string& module,
                   const Features& features);
// One Gemm of a matrix.
std::string gemm(ScriptGraph& graph, const std::string& x, const std::string& module,
                 const Features& features);
std::string layer_norm(ScriptGraph& graph, const std::string& x, const std::string& module,
                       std::int64_t width, float epsilon);
std::string gelu_by_erf(ScriptGraph& graph, const std::string& x);
std::string gelu_by_tanh(ScriptGraph& graph, const std::string& x);

}  // namespace pet::datasets
