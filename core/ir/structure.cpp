#include "core/ir/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

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

namespace {

// What a node is, behind its number.
std::vector<std::string_view> nodes_in(std::string_view structure) {
  std::vector<std::string_view> out;
  while (!structure.empty()) {
    const std::size_t end = std::min(structure.find("; "), structure.size());
    const std::string_view node = structure.substr(0, end);
    structure.remove_prefix(std::min(end + 2, structure.size()));
    const std::size_t number = node.find(' ');
    if (number != std::string_view::npos && node.find_first_not_of("0123456789") == number)
      out.push_back(node.substr(number + 1));
  }
  return out;
}

}  // namespace

std::string structure_in_short(std::string_view structure) {
  constexpr std::size_t kKinds = 3, kInputs = 2;
  std::map<std::string_view, std::size_t> counts;
  std::vector<std::string_view> inputs;
  for (const std::string_view node : nodes_in(structure)) {
    if (node.starts_with("in ")) inputs.push_back(node.substr(3));
    if (node.ends_with(')')) ++counts[node.substr(0, node.find_first_of("<(="))];
  }
  std::vector<std::pair<std::string_view, std::size_t>> kinds(counts.begin(), counts.end());
  std::ranges::stable_sort(kinds, std::greater<>(), [](const auto& kind) { return kind.second; });
  std::string out;
  std::size_t others = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i < kKinds)
      out += fmt::format("{}{} {}", i == 0 ? "" : ", ", kinds[i].second, kinds[i].first);
    else
      others += kinds[i].second;
  }
  if (others > 0) out += fmt::format(" and {} {}", others, others == 1 ? "other" : "others");
  if (kinds.empty()) out = "no operators";
  for (std::size_t i = 0; i < std::min(inputs.size(), kInputs); ++i)
    out += fmt::format("{}{}", i == 0 ? " of " : ", ", inputs[i]);
  if (inputs.size() > kInputs) out += fmt::format(" and {} more", inputs.size() - kInputs);
  return out;
}

}  // namespace pet
