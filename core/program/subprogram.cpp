#include "core/program/subprogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ir/builder.h"
#include "core/util/check.h"

namespace pet {
namespace {

bool is_weight(const Node& node) {
  const Tensor* tensor = node.constant();
  return tensor != nullptr && tensor->type().dtype == DType::Float && count(tensor->shape()) > 1;
}

void digest_type(Digester& digester, const TensorType& type) {
  digester.add(static_cast<std::uint64_t>(type.dtype))
      .add(type.shape ? to_string(*type.shape) : "?");
}

Digest key_of(const Graph& program) {
  Digester digester("subprogram");
  std::map<Digest, std::uint64_t> weights;  // numbered as they appear
  for (const Node& node : program.nodes()) {
    digest_type(digester, node.type);
    if (const Op* op = node.op()) {
      digest_into(digester.add("operator"), *op);
    } else if (is_weight(node)) {
      digester.add("weight").add(
          weights.try_emplace(node.constant()->digest(), weights.size()).first->second);
    } else if (const Tensor* tensor = node.constant()) {
      digester.add("constant").add(tensor->digest());
    } else {
      digester.add("input");
    }
    for (const NodeId operand : node.operands)
      digester.add(static_cast<std::uint64_t>(operand.index()));
  }
  for (const NodeId id : program.outputs()) digester.add(static_cast<std::uint64_t>(id.index()));
  return digester.finish();
}

}  // namespace

Result<NodeId> copy_node(GraphBuilder& builder, const Node& node, std::vector<NodeId> operands) {
  if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what))
    return builder.add_constant(*leaf, node.name);
  const Op* op = node.op();
  PET_CHECK(op != nullptr, "inputs are copied by the caller");
  if (op->def->lower != nullptr) return builder.add(*op, std::move(operands), node.name);
  return builder.add_opaque(*op, std::move(operands), node.type, node.name);
}

Subprogram extract(const Graph& source, std::span<const NodeId> nodes) {
  Subprogram out;
  out.nodes.assign(nodes.begin(), nodes.end());
  std::sort(out.nodes.begin(), out.nodes.end());
  const std::set<NodeId> inside(out.nodes.begin(), out.nodes.end());
  GraphBuilder builder;
  for (const NodeId id : out.nodes) {
    PET_CHECK(source.has_meaning(id), "a subprogram holds operators with a meaning only");
    std::vector<NodeId> operands;
    for (const NodeId operand : source.node(id).operands) {
      if (!out.place.contains(operand)) {
        const Node& outside = source.node(operand);
        if (const auto* leaf = std::get_if<ConstantLeaf>(&outside.what)) {
          out.place[operand] = builder.add_constant(*leaf, outside.name);
        } else {
          out.place[operand] =
              builder.add_input(fmt::format("in{}", out.inputs.size()), outside.type);
          out.inputs.push_back(operand);
        }
      }
      operands.push_back(out.place[operand]);
    }
    auto copied = copy_node(builder, source.node(id), std::move(operands));
    PET_CHECK(copied.ok(), "what the source holds can be built again");
    out.place[id] = *copied;
  }
  std::set<NodeId> used(source.outputs().begin(), source.outputs().end());
  for (const NodeId id : source.ids()) {
    if (inside.contains(id)) continue;
    for (const NodeId operand : source.node(id).operands) {
      if (inside.contains(operand)) used.insert(operand);
    }
  }
  for (const NodeId id : out.nodes) {
    if (!used.contains(id)) continue;
    builder.add_output(out.place[id]);
    out.outputs.push_back(id);
  }
  out.program = std::move(builder).build();
  out.key = key_of(out.program);
  return out;
}

std::vector<std::string> operator_names(const Graph& program) {
  std::vector<std::string> out;
  for (const Node& node : program.nodes()) {
    if (node.op() != nullptr) out.push_back(node.op()->def->name);
  }
  return out;
}

namespace {

// Of the nodes that are not 0 in `kept`, and the inputs.
Result<Graph> copy_of(const Graph& program, const std::vector<char>& kept, const Instead& instead) {
  GraphBuilder builder;
  std::vector<NodeId> place(program.nodes().size());
  for (const NodeId id : program.inputs())
    place[id.index()] = builder.add_input(program.node(id).input()->name, program.node(id).type);
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (kept[id.index()] == 0 || node.input() != nullptr) continue;
    if (node.constant() != nullptr) {
      auto other = instead(builder, *node.constant());
      if (!other) return std::move(other).error();
      if (*other) {
        place[id.index()] = **other;
        continue;
      }
    }
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    auto copied = copy_node(builder, node, std::move(operands));
    if (!copied) return std::move(copied).error();
    place[id.index()] = *copied;
  }
  for (const NodeId id : program.outputs()) builder.add_output(place[id.index()]);
  return std::move(builder).build();
}

std::optional<NodeId> as_it_is(GraphBuilder&, const Tensor&) { return std::nullopt; }

Graph copy_of(const Graph& program, const std::vector<char>& kept) {
  auto out = copy_of(program, kept, as_it_is);
  PET_CHECK(out.ok(), "what was built can be built again");
  return *std::move(out);
}

}  // namespace

Result<Graph> with_constants_replaced(const Graph& program, const Instead& instead) {
  return copy_of(program, program.needed_by_outputs(), instead);
}

Graph without_unused(const Graph& program) { return copy_of(program, program.needed_by_outputs()); }

Graph without_unused_operators(const Graph& program) {
  auto kept = program.needed_by_outputs();
  for (const NodeId id : program.ids()) {
    if (program.node(id).constant() != nullptr) kept[id.index()] = 1;
  }
  return copy_of(program, kept);
}

Result<Graph> transfer(const Graph& mutant, const Subprogram& from, const Subprogram& to) {
  PET_CHECK(from.key == to.key, "a mutant is carried to a place of the same structure");
  std::map<Digest, ConstantLeaf> weights;
  for (const NodeId id : from.program.ids()) {  // equal keys: node for node the same
    const Node& node = from.program.node(id);
    if (is_weight(node))
      weights[node.constant()->digest()] = std::get<ConstantLeaf>(to.program.node(id).what);
  }
  return with_constants_replaced(
      mutant, [&](GraphBuilder& builder, const Tensor& constant) -> Result<std::optional<NodeId>> {
        const auto weight = weights.find(constant.digest());
        if (weight == weights.end()) return std::optional<NodeId>{};
        return std::optional(builder.add_constant(weight->second));
      });
}

Result<std::vector<NodeId>> append(GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs,
                                   std::span<const std::string> names) {
  PET_CHECK(inputs.size() == program.inputs().size(), "one value an input");
  PET_CHECK(names.size() == program.outputs().size(), "one name an output");
  std::vector<NodeId> place(program.nodes().size());
  for (std::size_t i = 0; i < inputs.size(); ++i) place[program.inputs()[i].index()] = inputs[i];
  for (const NodeId id : program.ids()) {
    Node node = program.node(id);
    if (node.input() != nullptr) continue;
    if (node.op() != nullptr) node.name.clear();
    const auto& outputs = program.outputs();
    for (std::size_t j = 0; j < outputs.size(); ++j)
      if (outputs[j] == id) node.name = names[j];
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    auto copied = copy_node(builder, node, std::move(operands));
    if (!copied) return std::move(copied).error();
    place[id.index()] = *copied;
  }
  std::vector<NodeId> outputs;
  for (const NodeId output : program.outputs()) outputs.push_back(place[output.index()]);
  return outputs;
}

}  // namespace pet
