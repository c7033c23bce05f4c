// The layers of the transformers as the exporter through torch.export writes them. Each takes the
// path of its module, whose parameters it reads. Internal to datasets/models.
#pragma once

#include "datasets/models/program_graph.h"

namespace pet::datasets {

// An operator between values of one shape, or of a value and what is spread over it: the result is
// declared like x.
Tensor elementwise(ProgramGraph& graph, const std::string& traced, const std::string& type,
                   const std::vector<std::string>& inputs, const Tensor& like);

// A Reshape to `sizes`, of which one may be -1; `shape` is what is declared.
Tensor view(ProgramGraph& graph, const Tensor& x, const Dims& sizes, const Shape& shape);
Tensor transpose(ProgramGraph& graph, const std::string& traced, const Tensor& x,
                 const Dims& order);

// MatMul and Add, of a weight that the exporter transposed ahead.
Tensor linear(ProgramGraph& graph, const Tensor& x, const LinearNames& names,
              const Features& features);
Tensor linear(ProgramGraph& graph, const Tensor& x, const std::string& module,
              const Features& features);
// One Gemm of a matrix.
Tensor gemm(ProgramGraph& graph, const Tensor& x, const std::string& module,
            const Features& features);
Tensor layer_norm(ProgramGraph& graph, const Tensor& x, const std::string& module,
                  std::int64_t width, float epsilon);
Tensor gelu(ProgramGraph& graph, const Tensor& x);
// The entry at `index` of an axis, which goes: x.select(axis, index).
Tensor select(ProgramGraph& graph, const Tensor& x, std::int64_t axis, std::int64_t index);
// Rows of a table of embeddings.
Tensor lookup(ProgramGraph& graph, const Parameter& table, const Tensor& ids);

}  // namespace pet::datasets
