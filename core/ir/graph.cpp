#include "core/ir/graph.h"

#include <fmt/format.h>

#include "core/ir/needed.h"
#include "core/util/check.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {

std::vector<NodeId> Graph::ids() const {
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < nodes_.size(); ++i) all.push_back(NodeId(i));
  return all;
}

std::vector<Shape> Graph::operand_shapes(NodeId id) const {
  std::vector<Shape> shapes;
  for (const NodeId operand : node(id).operands) {
    PET_CHECK(node(operand).type.shape.has_value(), "the shape of an operand is unknown");
    shapes.push_back(*node(operand).type.shape);
  }
  return shapes;
}

bool Graph::has_meaning(NodeId id) const { return meanings_[id.index()] != nullptr; }

std::vector<char> Graph::depends_on_inputs() const {
  std::vector<char> out(nodes_.size(), 0);
  for (const NodeId id : ids()) {  // operands come earlier and are known
    const Node& one = node(id);
    bool depends = one.input() != nullptr || (one.op() != nullptr && !has_meaning(id));
    for (const NodeId operand : one.operands) depends = depends || out[operand.index()] != 0;
    out[id.index()] = depends ? 1 : 0;
  }
  return out;
}

Graph Graph::opened_at(const std::map<NodeId, std::string>& names) const {
  Graph out = *this;
  for (const auto& [id, name] : names) {
    Node& node = out.nodes_[id.index()];
    node.what = InputLeaf{name};
    node.operands.clear();
    out.what_[id.index()] = Digester("opened").add(name).finish();
    out.meanings_[id.index()] = nullptr;
    out.inputs_.push_back(id);
  }
  return out;
}

std::vector<char> Graph::needed_by_outputs() const {
  std::vector<char> out(nodes_.size(), 0);
  for (const NodeId id : outputs_) out[id.index()] = 1;
  return needed_by(*this, std::move(out));
}

const Meaning& Graph::meaning(NodeId id) const {
  PET_CHECK(has_meaning(id), "only an operator with a definition has a meaning");
  return *meanings_[id.index()];
}

std::vector<std::vector<NodeId>> Graph::consumers() const {
  std::vector<std::vector<NodeId>> users(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const NodeId operand : nodes_[i].operands) users[operand.index()].push_back(NodeId(i));
  }
  return users;
}

Digest Graph::digest() const {
  Digester digester("graph");
  for (const Node& node : nodes_) {
    digester.add(static_cast<std::uint64_t>(node.what.index()));
    std::visit(overloaded{[&](const Op& op) { digest_into(digester, op); },
                          [&](const InputLeaf& leaf) {
                            digester.add(leaf.name).add(to_string(node.type));
                          },
                          [&](const ConstantLeaf& leaf) { digester.add(leaf->digest()); }},
               node.what);
    digester.add(static_cast<std::uint64_t>(node.operands.size()));
    for (const NodeId operand : node.operands) digester.add(operand.value);
  }
  digester.add(static_cast<std::uint64_t>(outputs_.size()));
  for (const NodeId output : outputs_) digester.add(output.value);
  return digester.finish();
}

std::string to_string(const Graph& graph) {
  std::string out;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    std::string operands;
    for (const NodeId operand : node.operands)
      operands += fmt::format("{}%{}", operands.empty() ? "" : ", ", operand.value);
    const std::string what = std::visit(
        overloaded{
            [&](const Op& op) { return fmt::format("{}({})", to_string(op), operands); },
            [](const InputLeaf& leaf) { return fmt::format("input {}", printable(leaf.name)); },
            [](const ConstantLeaf& leaf) {
              return "constant " + leaf->digest().hex().substr(0, 12);
            }},
        node.what);
    out += fmt::format("%{} : {} = {}\n", id.value, to_string(node.type), what);
  }
  out += "outputs";
  for (const NodeId output : graph.outputs()) out += fmt::format(" %{}", output.value);
  return out + "\n";
}

}  // namespace pet
