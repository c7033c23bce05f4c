#include "core/ir/known_numbers.h"

#include <cmath>

namespace pet {

std::optional<Rational> known_number(const Tensor& constant) {
  if (constant.type().dtype != DType::Float || constant.floats().size() != 1) return std::nullopt;
  const float x = constant.floats()[0];
  if (!std::isfinite(x) || (x == 0 && std::signbit(x))) return std::nullopt;
  return exact(x);
}

KnownNumbers known_numbers(const Graph& graph, const OpDef& def,
                           const std::vector<NodeId>& operands) {
  if (!def.by_numbers) return {};
  KnownNumbers out(operands.size());
  for (const std::size_t place : def.by_numbers->operands) {
    if (place >= operands.size()) continue;
    const Tensor* constant = graph.node(operands[place]).constant();
    if (constant != nullptr) out[place] = known_number(*constant);
  }
  return out;
}

}  // namespace pet
