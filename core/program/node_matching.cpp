#include "core/program/node_matching.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/analysis/commutative.h"
#include "core/util/check.h"

namespace pet {
namespace {

// By what both agree in: the nodes of either program.
struct Alike {
  std::vector<NodeId> here, there;
};

// Names that one value alone has.
std::map<std::string_view, NodeId> by_name(const Graph& graph, const std::vector<NodeId>& ids) {
  std::map<std::string_view, NodeId> out;
  std::set<std::string_view> twice;
  for (const NodeId id : ids) {
    const std::string& name = graph.node(id).name;
    if (!name.empty() && !out.try_emplace(name, id).second) twice.insert(name);
  }
  for (const std::string_view name : twice) out.erase(name);
  return out;
}

bool has_many_numbers(const Node& node) { return !node.type.shape || count(*node.type.shape) > 1; }

}  // namespace

NodeMatching::NodeMatching(const Graph& here, const Graph& there, bool constants_take_part)
    : sides_{side_of(here, constants_take_part), side_of(there, constants_take_part)} {
  match_inputs();
  for (Side& side : sides_) {
    set_expressions(side, static_cast<std::size_t>(&side - sides_));
    set_kinds(side);
  }
}

NodeMatching::Side NodeMatching::side_of(const Graph& graph, bool constants_take_part) {
  Side out{&graph, graph.depends_on_inputs(), {}, graph.consumers(), {}, {}, {}};
  if (constants_take_part) std::ranges::fill(out.takes_part, char{1});
  for (const NodeId id : graph.ids()) out.commutes.push_back(is_commutative(graph, id) ? 1 : 0);
  out.partner.resize(graph.nodes().size());
  return out;
}

void NodeMatching::match(const NodePair& pair) {
  sides_[0].partner[pair.first.index()] = pair.second;
  sides_[1].partner[pair.second.index()] = pair.first;
  fresh_.push_back(pair);
}

void NodeMatching::match_if_same(const NodePair& pair) {
  const auto& [a, b] = pair;
  if (!takes_part_here(a) || !takes_part_there(b) || there_of(a) || here_of(b)) return;
  if (sides_[0].kind[a.index()] == sides_[1].kind[b.index()]) match(pair);
}

void NodeMatching::take_apart(const NodePair& pair) {
  PET_CHECK(there_of(pair.first) == pair.second, "it is a pair");
  sides_[0].partner[pair.first.index()].reset();
  sides_[1].partner[pair.second.index()].reset();
}

// By name, then those of one type in order.
void NodeMatching::match_inputs() {
  std::map<std::string, std::vector<NodeId>> left;
  const Graph& here = *sides_[0].graph;
  const Graph& there = *sides_[1].graph;
  for (const NodeId id : there.inputs()) {
    const auto same = std::ranges::find_if(here.inputs(), [&](NodeId other) {
      return !there_of(other) && here.what_is(other) == there.what_is(id) &&
             here.node(other).type == there.node(id).type;
    });
    if (same != here.inputs().end())
      match({*same, id});
    else
      left[to_string(there.node(id).type)].push_back(id);
  }
  std::map<std::string, std::size_t> used;
  for (const NodeId id : here.inputs()) {
    if (there_of(id)) continue;
    const std::string type = to_string(here.node(id).type);
    if (used[type] < left[type].size()) match({id, left[type][used[type]++]});
  }
}

void NodeMatching::set_expressions(Side& side, std::size_t number) {
  for (const NodeId id : side.graph->ids()) {
    const Node& node = side.graph->node(id);
    Digester digester("expression of a program that is compared");
    digester.add(side.graph->what_is(id));
    if (node.input() != nullptr) {
      const auto& partner = side.partner[id.index()];
      const NodeId here = number == 1 && partner ? *partner : id;
      digester = Digester("input of a program that is compared");
      digester.add(partner ? std::uint64_t{0} : std::uint64_t{1} + number).add(here.index());
    }
    std::vector<Digest> operands;
    for (const NodeId operand : node.operands) operands.push_back(side.expression[operand.index()]);
    if (side.commutes[id.index()] != 0) std::ranges::sort(operands);
    for (const Digest& operand : operands) digester.add(operand);
    side.expression.push_back(digester.finish());
  }
}

void NodeMatching::set_kinds(Side& side) {
  for (const NodeId id : side.graph->ids()) {
    const Node& node = side.graph->node(id);
    Digester digester("kind of a node that is compared");
    if (node.input() == nullptr) digester.add(side.graph->what_is(id));
    digester.add(to_string(node.type)).add(static_cast<std::uint64_t>(node.operands.size()));
    std::vector<Digest> constants;
    for (const NodeId operand : node.operands)
      constants.push_back(side.takes_part[operand.index()] != 0 ? Digest{}
                                                                : side.expression[operand.index()]);
    if (side.commutes[id.index()] != 0) std::ranges::sort(constants);
    for (const Digest& constant : constants) digester.add(constant);
    side.kind.push_back(digester.finish());
  }
}

void NodeMatching::find() {
  match_expressions();
  match_by_constants();
  match_outputs();
  spread();
  match_names();
  spread();
}

// What both compute from the inputs in the same way.
void NodeMatching::match_expressions() {
  std::map<Digest, Alike> alike;
  for (const NodeId id : sides_[0].graph->ids())
    if (takes_part_here(id) && !there_of(id))
      alike[sides_[0].expression[id.index()]].here.push_back(id);
  for (const NodeId id : sides_[1].graph->ids())
    if (takes_part_there(id) && !here_of(id))
      if (const auto it = alike.find(sides_[1].expression[id.index()]); it != alike.end())
        it->second.there.push_back(id);
  for (const auto& [expression, both] : alike) {
    if (both.there.empty()) continue;
    match_named(both.here, both.there);
    auto next = both.there.begin();
    for (const NodeId id : both.here) {
      if (there_of(id)) continue;
      while (next != both.there.end() && here_of(*next)) ++next;
      if (next == both.there.end()) break;
      match_if_same({id, *next});
    }
  }
}

// Weights that one operator alone reads say which it is.
void NodeMatching::match_by_constants() {
  std::map<Digest, Alike> alike;
  const auto reads_weights = [](const Side& side, NodeId id) {
    return std::ranges::any_of(side.graph->node(id).operands, [&](NodeId operand) {
      return side.takes_part[operand.index()] == 0 && has_many_numbers(side.graph->node(operand));
    });
  };
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = sides_[s];
    for (const NodeId id : side.graph->ids()) {
      if (side.takes_part[id.index()] == 0 || side.partner[id.index()]) continue;
      if (!reads_weights(side, id)) continue;
      Alike& both = alike[side.kind[id.index()]];
      (s == 0 ? both.here : both.there).push_back(id);
    }
  }
  for (const auto& [kind, both] : alike)
    if (both.here.size() == 1 && both.there.size() == 1)
      match({both.here.front(), both.there.front()});
}

void NodeMatching::match_outputs() {
  const auto& here = sides_[0].graph->outputs();
  const auto& there = sides_[1].graph->outputs();
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i)
    match_if_same({here[i], there[i]});
}

void NodeMatching::match_names() { match_named(sides_[0].graph->ids(), sides_[1].graph->ids()); }

void NodeMatching::match_named(const std::vector<NodeId>& here, const std::vector<NodeId>& there) {
  const auto names = by_name(*sides_[1].graph, there);
  for (const auto& [name, id] : by_name(*sides_[0].graph, here))
    if (const auto it = names.find(name); it != names.end()) match_if_same({id, it->second});
}

void NodeMatching::spread() {
  while (!fresh_.empty()) {
    const auto [a, b] = fresh_.front();
    fresh_.pop_front();
    match_alike(operands_of(sides_[0], a), operands_of(sides_[1], b));
    match_alike(readers_of(sides_[0], a), readers_of(sides_[1], b));
  }
}

NodeMatching::Candidates NodeMatching::operands_of(const Side& side, NodeId id) const {
  Candidates out;
  const auto& operands = side.graph->node(id).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::size_t at = operands[i].index();
    if (side.takes_part[at] == 0 || side.partner[at]) continue;
    out.push_back({side.commutes[id.index()] != 0 ? 0 : i, side.kind[at], operands[i]});
  }
  return out;
}

NodeMatching::Candidates NodeMatching::readers_of(const Side& side, NodeId id) const {
  Candidates out;
  for (const NodeId reader : side.readers[id.index()]) {
    if (side.partner[reader.index()]) continue;
    const auto& operands = side.graph->node(reader).operands;
    const auto place = static_cast<std::size_t>(std::ranges::find(operands, id) - operands.begin());
    out.push_back(
        {side.commutes[reader.index()] != 0 ? 0 : place, side.kind[reader.index()], reader});
  }
  return out;
}

void NodeMatching::match_alike(Candidates here, Candidates there) {
  std::map<std::pair<std::size_t, Digest>, Alike> alike;
  for (auto* candidates : {&here, &there}) {
    std::ranges::sort(*candidates);
    const auto [first, last] = std::ranges::unique(*candidates);
    candidates->erase(first, last);
    for (const Candidate& one : *candidates) {
      Alike& both = alike[{one.place, one.kind}];
      (candidates == &here ? both.here : both.there).push_back(one.id);
    }
  }
  for (const auto& [what, both] : alike) {
    if (both.here.size() == 1 && both.there.size() == 1)
      match_if_same({both.here.front(), both.there.front()});
    else if (!both.here.empty() && !both.there.empty())
      match_named(both.here, both.there);
  }
}

std::vector<NodePair> NodeMatching::pairs() const {
  std::vector<NodePair> out;
  for (const NodeId id : sides_[0].graph->ids())
    if (const auto partner = there_of(id)) out.emplace_back(id, *partner);
  return out;
}

bool NodeMatching::is_same_expression(const NodePair& pair) const {
  return sides_[0].expression[pair.first.index()] == sides_[1].expression[pair.second.index()];
}

std::vector<NodePair> NodeMatching::operands(const NodePair& pair) const {
  std::vector<NodeId> here = sides_[0].graph->node(pair.first).operands;
  std::vector<NodeId> there = sides_[1].graph->node(pair.second).operands;
  std::vector<NodePair> out;
  const bool is_free = sides_[0].commutes[pair.first.index()] != 0 && here.size() == 2;
  const auto agree = [&](NodeId a, NodeId b) {
    return there_of(a) == b || is_same_expression({a, b});
  };
  if (is_free && !(agree(here[0], there[0]) || agree(here[1], there[1])) &&
      (agree(here[0], there[1]) || agree(here[1], there[0])))
    std::swap(there[0], there[1]);
  for (std::size_t i = 0; i < here.size(); ++i) out.emplace_back(here[i], there[i]);
  return out;
}

}  // namespace pet
