#include "core/ir/known_numbers.h"

#include <cmath>

namespace pet {

KnownNumbers known_numbers(const Graph& graph, const std::vector<NodeId>& operands) {
  KnownNumbers out;
  for (const NodeId operand : operands) {
    out.emplace_back();
    const Tensor* tensor = graph.node(operand).constant();
    if (tensor == nullptr || tensor->type().dtype != DType::Float || tensor->floats().size() != 1)
      continue;
    const float x = tensor->floats()[0];
    if (std::isfinite(x) && (x != 0 || !std::signbit(x))) out.back() = exact(x);
  }
  return out;
}

}  // namespace pet
