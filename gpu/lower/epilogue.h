// What may be done with a product before it is written: the sums and the rectifier that follow it.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/product.h"

namespace pet::gpu {

struct EpilogueStep {
  enum class Kind { Bias, Residual, Relu };
  Kind kind = Kind::Relu;
  NodeId node;                    // that does it
  std::optional<NodeId> operand;  // what is added
};

// The steps behind `product`, in order, as far as each is the only reader of the one before: at
// most one of a kind, the rectifier last. `readers`: of every node; outputs have one more.
// What is `taken`, by node, belongs to another product.
std::vector<EpilogueStep> steps_behind(const Graph& graph, const Product& product,
                                       const std::vector<std::vector<NodeId>>& readers,
                                       const std::vector<char>& taken);

}  // namespace pet::gpu
