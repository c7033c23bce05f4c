#include "viz/words/side_by_side.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostSaid = 64;  // nodes
constexpr std::size_t kMostValues = 3;

std::string kind_of(const Node& node) {
  if (node.op() != nullptr) return node.op()->def->name;
  return node.input() != nullptr ? "input" : "constant";
}

// "5: Transpose 2, Conv, Reshape 2", in order of their first.
std::string operators_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return "nothing";
  std::vector<std::string> order;
  std::map<std::string, std::size_t> counts;
  for (const NodeId id : nodes) {
    const std::string kind = kind_of(graph.node(id));
    if (counts[kind]++ == 0) order.push_back(kind);
  }
  std::string out = nodes.size() == 1 ? "" : fmt::format("{}: ", nodes.size());
  for (const std::string& kind : order) {
    if (kind != order.front()) out += ", ";
    out += counts[kind] == 1 ? kind : fmt::format("{} {}", kind, counts[kind]);
  }
  return out;
}

// A program, and who reads what in it.
struct Read {
  explicit Read(const ComparedProgram& program)
      : graph(*program.graph),
        readers(graph.consumers()),
        is_output(graph.nodes().size(), 0),
        follows_from_inputs(graph.depends_on_inputs()) {
    for (const NodeId id : graph.outputs()) is_output[id.index()] = 1;
    for (const NodeId id : graph.ids()) {
      Digester digester("constant of a program that is compared");
      digester.add(graph.what_is(id));
      for (const NodeId operand : graph.node(id).operands) digester.add(made_as[operand.index()]);
      made_as.push_back(digester.finish());
    }
  }
  bool is_constant(NodeId id) const { return follows_from_inputs[id.index()] == 0; }
  // What others read of these nodes, or what is an output.
  std::vector<NodeId> yields_of(const std::vector<NodeId>& nodes) const {
    const std::set<NodeId> inside(nodes.begin(), nodes.end());
    std::vector<NodeId> out;
    for (const NodeId id : nodes) {
      const bool is_read = std::ranges::any_of(
          readers[id.index()], [&](NodeId reader) { return !inside.contains(reader); });
      if (is_read || is_output[id.index()] != 0) out.push_back(id);
    }
    return out;
  }
  const Graph& graph;
  std::vector<std::vector<NodeId>> readers;
  std::vector<char> is_output, follows_from_inputs;
  std::vector<Digest> made_as;  // how a constant follows from others
};

std::string value_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const std::string name = printable(node.input() != nullptr ? node.input()->name : node.name);
  const std::string type = pet::to_string(node.type);
  return name.empty() ? type : fmt::format("{} {}", name, type);
}

std::string values_of(const Graph& graph, const std::vector<NodeId>& ids) {
  std::string out;
  for (std::size_t i = 0; i < std::min(ids.size(), kMostValues); ++i)
    out += (i == 0 ? "" : ", ") + value_of(graph, ids[i]);
  if (ids.size() > kMostValues) out += fmt::format(" and {} more", ids.size() - kMostValues);
  return out;
}

std::vector<std::string> kinds_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<std::string> out;
  for (const NodeId id : nodes) out.push_back(kind_of(graph.node(id)));
  std::ranges::sort(out);
  return out;
}

// What two nodes of one operator differ in.
std::string difference_of(const Read& before, NodeId a, const Read& after, NodeId b) {
  const Graph& here = before.graph;
  const Graph& there = after.graph;
  const Node& x = here.node(a);
  const Node& y = there.node(b);
  if (x.op() != nullptr && here.has_meaning(a) && there.has_meaning(b) && *x.op() != *y.op())
    return fmt::format("other attributes: {} → {}", pet::to_string(*x.op()),
                       pet::to_string(*y.op()));
  if (here.what_is(a) != there.what_is(b) && x.input() == nullptr) return "another content";
  if (x.type != y.type)
    return fmt::format("another type: {} → {}", pet::to_string(x.type), pet::to_string(y.type));
  if (x.input() != nullptr) return "another name";
  for (std::size_t i = 0; i < std::min(x.operands.size(), y.operands.size()); ++i) {
    const NodeId read = x.operands[i], other = y.operands[i];
    if (!before.is_constant(read) || !after.is_constant(other) ||
        before.made_as[read.index()] == after.made_as[other.index()])
      continue;
    const bool are_given =
        here.node(read).constant() != nullptr && there.node(other).constant() != nullptr;
    return are_given ? fmt::format("another constant as operand {}", i + 1)
                     : fmt::format("the constant that is operand {} is computed otherwise", i + 1);
  }
  return "reads other values, or stands elsewhere";
}

// Of an operator that each side has once: what it differs in.
std::string alike_of(const Read& here, const std::vector<NodeId>& before, const Read& there,
                     const std::vector<NodeId>& after) {
  const auto once = [](const Graph& graph, const std::vector<NodeId>& nodes) {
    std::map<std::string, std::vector<NodeId>> out;
    for (const NodeId id : nodes) out[kind_of(graph.node(id))].push_back(id);
    std::erase_if(out, [](const auto& kind) { return kind.second.size() > 1; });
    return out;
  };
  const auto others = once(there.graph, after);
  for (const auto& [kind, id] : once(here.graph, before))
    if (const auto other = others.find(kind); other != others.end())
      return fmt::format("{} on both sides: {}", kind,
                         difference_of(here, id.front(), there, other->second.front()));
  return {};
}

std::string known_of(const Read& here, const Read& there, const Change& change) {
  const bool are_alike = !change.here.empty() &&
                         kinds_of(here.graph, change.here) == kinds_of(there.graph, change.there);
  if (are_alike && change.here.size() == 1)
    return difference_of(here, change.here.front(), there, change.there.front());
  std::set<std::string> names;
  for (const NodeId id : here.yields_of(change.here)) names.insert(here.graph.node(id).name);
  std::string kept;
  for (const NodeId id : there.yields_of(change.there)) {
    const std::string& name = there.graph.node(id).name;
    if (!name.empty() && names.contains(name)) kept += (kept.empty() ? "" : ", ") + printable(name);
  }
  std::string out;
  if (are_alike)
    out = "the same operators, otherwise connected or with other constants";
  else
    out = alike_of(here, change.here, there, change.there);
  if (!kept.empty())
    out += fmt::format("{}both call what it yields {}", out.empty() ? "" : "; ", kept);
  return out;
}

ChangeWords words_of(const SideBySide& comparison, const Read& here, const Read& there,
                     const Change& one) {
  ChangeWords out;
  out.what = one.there.empty()  ? fmt::format("only in {}", comparison.here.name)
             : one.here.empty() ? fmt::format("only in {}", comparison.there.name)
                                : "replaced";
  out.here = operators_of(here.graph, one.here);
  out.there = operators_of(there.graph, one.there);
  const std::string before = values_of(here.graph, here.yields_of(one.here));
  const std::string after = values_of(there.graph, there.yields_of(one.there));
  if (before.empty() || after.empty() || before == after)
    out.yields = before.empty() ? after : before;
  else
    out.yields = fmt::format("{} → {}", before, after);
  out.known = known_of(here, there, one);
  return out;
}

void list(std::string& out, const Graph& graph, const std::vector<NodeId>& nodes) {
  const std::size_t said = std::min(nodes.size(), kMostSaid);
  for (std::size_t i = 0; i < said; ++i) {
    const Node& node = graph.node(nodes[i]);
    const std::string kind = node.op() != nullptr && graph.has_meaning(nodes[i])
                                 ? pet::to_string(*node.op())
                                 : kind_of(node);
    out += fmt::format("  {}\n    {}\n", kind, value_of(graph, nodes[i]));
  }
  if (said < nodes.size()) out += fmt::format("  {} of {} nodes\n", said, nodes.size());
  if (nodes.empty()) out += "  nothing\n";
}

}  // namespace

std::string headline_of(const SideBySide& comparison) {
  const auto& [unchanged, changes] = comparison.counterparts;
  if (changes.empty())
    return fmt::format("Nothing differs: {} unchanged", plural(unchanged.size(), "node"));
  std::size_t before = 0, after = 0, only_here = 0, only_there = 0;
  for (const Change& one : changes) {
    (one.there.empty() ? only_here : before) += one.here.size();
    (one.here.empty() ? only_there : after) += one.there.size();
  }
  std::vector<std::string> parts;
  if (before > 0) parts.push_back(fmt::format("{} became {}", plural(before, "node"), after));
  if (only_here > 0)
    parts.push_back(fmt::format("{} only in {}", plural(only_here, "node"), comparison.here.name));
  if (only_there > 0)
    parts.push_back(
        fmt::format("{} only in {}", plural(only_there, "node"), comparison.there.name));
  return fmt::format("{} changed: {}; {} unchanged", plural(changes.size(), "place"),
                     fmt::join(parts, ", "), unchanged.size());
}

std::vector<ChangeWords> words_of(const SideBySide& comparison) {
  const Read here(comparison.here), there(comparison.there);
  std::vector<ChangeWords> out;
  for (const Change& one : comparison.counterparts.changes)
    out.push_back(words_of(comparison, here, there, one));
  return out;
}

std::string in_words(const SideBySide& comparison, std::size_t change) {
  const Change& one = comparison.counterparts.changes[change];
  const ChangeWords words =
      words_of(comparison, Read(comparison.here), Read(comparison.there), one);
  std::string out = fmt::format("Difference {} of {}: {}\n", change + 1,
                                comparison.counterparts.changes.size(), words.what);
  if (!words.known.empty()) out += words.known + "\n";
  out += fmt::format("\n{}:\n", comparison.here.name);
  list(out, *comparison.here.graph, one.here);
  out += fmt::format("\n{}:\n", comparison.there.name);
  list(out, *comparison.there.graph, one.there);
  return out;
}

std::string in_words(const SideBySide& comparison, const std::vector<NodeId>& here,
                     const std::vector<NodeId>& there) {
  std::string out =
      "Unchanged: the same operator, attributes and constants on operands that "
      "correspond. Nobody proved it by that.\n";
  out += fmt::format("\n{}:\n", comparison.here.name);
  list(out, *comparison.here.graph, here);
  out += fmt::format("\n{}:\n", comparison.there.name);
  list(out, *comparison.there.graph, there);
  return out;
}

}  // namespace pet::viz
