#include "viz/words/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pet::viz {
namespace {

std::string operator_in_words(const Graph& program, NodeId id) {
  const Node& node = program.node(id);
  return node.op() == nullptr ? node.name : fmt::format("{} ({})", node.name, node.op()->def->name);
}

}  // namespace

std::string in_words(const InspectedCause& cause, const Graph& program) {
  using Kind = InspectedCause::Kind;
  const auto by = [&] { return operator_in_words(program, cause.by); };
  const auto value = [&] { return program.node(cause.value).name; };
  switch (cause.kind) {
    case Kind::Border:
      return fmt::format("{} reads {} beyond its border", by(), value());
    case Kind::Guard:
      return fmt::format("{} leaves terms out", by());
    case Kind::Digit:
      return fmt::format("{} divides an index of {}", by(), value());
    case Kind::Table:
      return fmt::format("a coefficient of {} changes", by());
    case Kind::Number:
      return fmt::format("{} reads another number of the constant {}", by(), value());
    case Kind::Argument:
      return fmt::format("what {} is applied to changes", by());
    case Kind::Comparison:
      return "terms of the two programs are the same in a part only";
    case Kind::Close:
      return "nothing was found out of the whole: its parts were looked at";
  }
  return {};
}

std::string node_in_words(const Graph& program, NodeId id) {
  const Node& node = program.node(id);
  if (node.op() == nullptr) return node.name;
  std::vector<std::string> operands;
  for (const NodeId operand : node.operands) operands.push_back(program.node(operand).name);
  return fmt::format("{} = {}({})", node.name, node.op()->def->name, fmt::join(operands, ", "));
}

}  // namespace pet::viz
