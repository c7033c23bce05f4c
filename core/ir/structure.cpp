#include "core/ir/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pet {
namespace {

constexpr std::size_t kDigits = 16;  // of a digest

std::string what_is(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.input() != nullptr) return "in " + to_string(node.type);
  if (const Tensor* constant = node.constant()) {
    if (constant->type().dtype == DType::Float) return to_string(node.type);
    return to_string(node.type) + "=" + plain_digest(constant->bytes()).hex().substr(0, kDigits);
  }
  std::string out = to_string(*node.op());
  // What makes it out is not in its attributes, nor is its type in its operands'.
  if (!graph.has_meaning(id))
    out += "=" + graph.what_is(id).hex().substr(0, kDigits) + " " + to_string(node.type);
  return out;
}

}  // namespace

std::string structure_text(const Graph& graph) {
  const auto needed = graph.needed_by_outputs();
  std::vector<std::size_t> numbers(graph.nodes().size(), 0);
  std::size_t next = 0;
  std::string out;
  const auto numbers_of = [&](const std::vector<NodeId>& ids) {
    std::vector<std::size_t> all;
    for (const NodeId id : ids) all.push_back(numbers[id.index()]);
    return fmt::format("{}", fmt::join(all, ","));
  };
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    numbers[id.index()] = next++;
    const auto& operands = graph.node(id).operands;
    out += fmt::format("{} {}", numbers[id.index()], what_is(graph, id));
    if (!operands.empty()) out += "(" + numbers_of(operands) + ")";
    out += "; ";
  }
  return out + "out " + numbers_of(graph.outputs());
}

}  // namespace pet
