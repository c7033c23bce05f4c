#include "gpu/lower/library.h"

#include <algorithm>

namespace pet::gpu {

bool adds_bias(const Library& it) {
  return it.product.bias || std::ranges::find(it.steps, EpilogueStep::Kind::Bias,
                                              &EpilogueStep::kind) != it.steps.end();
}

bool takes_bias(const MatrixProduct& p) { return p.result.strides[2] == 1; }

std::optional<Library> library_form(const Graph& graph, NodeId node,
                                    const std::vector<std::vector<NodeId>>& readers,
                                    const std::vector<char>& taken) {
  auto product = read_product(graph, node);
  if (!product) return std::nullopt;
  const auto matrix = as_matrix_product(*product, row_major(graph, *product));
  const auto convolution = as_convolution(graph, *product);
  if (!matrix && !convolution) return std::nullopt;
  Library out{{}, *product, steps_behind(graph, *product, readers, taken)};
  for (;; out.steps.pop_back()) {
    if (matrix && (!adds_bias(out) || takes_bias(*matrix))) {
      out.form = *matrix;
      return out;
    }
    if (convolution && (!adds_bias(out) || feature_dimension(*product))) {
      out.form = *convolution;
      return out;
    }
    if (out.steps.empty()) return std::nullopt;
  }
}

}  // namespace pet::gpu
