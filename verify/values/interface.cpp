#include "verify/values/interface.h"

#include <fmt/format.h>

#include <map>

#include "core/util/printable.h"

namespace pet {

std::string interface_mismatch(const Graph& a, const Graph& b) {
  const auto types = [](const Graph& graph) {
    std::map<std::string_view, const TensorType*> out;
    for (const NodeId id : graph.inputs()) out[graph.node(id).input()->name] = &graph.node(id).type;
    return out;
  };
  const auto inputs_a = types(a);
  const auto inputs_b = types(b);
  for (const auto& [name, type] : inputs_a) {
    const auto it = inputs_b.find(name);
    if (it == inputs_b.end())
      return fmt::format("input {} is missing in the second program", printable(name));
    if (*it->second != *type)
      return fmt::format("input {} is {} in one and {} in the other", printable(name),
                         to_string(*type), to_string(*it->second));
  }
  for (const auto& [name, type] : inputs_b) {
    if (!inputs_a.contains(name))
      return fmt::format("input {} is missing in the first program", printable(name));
  }
  if (a.outputs().size() != b.outputs().size()) {
    return fmt::format("{} outputs in one and {} in the other", a.outputs().size(),
                       b.outputs().size());
  }
  for (std::size_t i = 0; i < a.outputs().size(); ++i) {
    const auto& x = a.node(a.outputs()[i]).type;
    const auto& y = b.node(b.outputs()[i]).type;
    if (!x.shape || !y.shape) continue;  // an opaque node's result: nothing is known of its type
    if (x != y)
      return fmt::format("output {} is {} in one and {} in the other", i, to_string(x),
                         to_string(y));
  }
  return {};
}

}  // namespace pet
