#include "verify/values/infinite_arithmetic.h"

#include <fmt/format.h>

namespace pet {
namespace {

Result<std::string> infinite_arithmetic(const Graph& graph, const std::stop_token& stop) {
  std::vector<Finiteness> numbers(graph.nodes().size(), Finiteness::Finite);
  const auto needed = graph.needed_by_outputs();
  for (const NodeId id : graph.ids()) {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const Node& node = graph.node(id);
    if (const Tensor* tensor = node.constant()) numbers[id.index()] = finiteness_of(*tensor);
    if (!graph.has_meaning(id)) continue;
    std::vector<Finiteness> operands;
    for (const NodeId operand : node.operands) operands.push_back(numbers[operand.index()]);
    const Made made = made_of(graph.meaning(id), std::move(operands));
    numbers[id.index()] = made.numbers;
    if (made.fate == Fate::Computed && needed[id.index()] != 0)
      return fmt::format("{} computes with a constant that is infinite or no number",
                         to_string(*node.op()));
  }
  return std::string{};
}

}  // namespace

Result<std::string> infinite_arithmetic(const Graph& original, const Graph& mutant,
                                        const std::stop_token& stop) {
  auto found = infinite_arithmetic(original, stop);
  return !found || !found->empty() ? found : infinite_arithmetic(mutant, stop);
}

}  // namespace pet
