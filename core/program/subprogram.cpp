#include "core/program/subprogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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

Extractor::Extractor(const Graph& source)
    : source_(source), users_(source.consumers()), is_output_(source.nodes().size(), 0) {
  for (const NodeId id : source.outputs()) is_output_[id.index()] = 1;
}

Subprogram Extractor::extract(std::span<const NodeId> nodes) const {
  Subprogram out;
  out.nodes.assign(nodes.begin(), nodes.end());
  std::sort(out.nodes.begin(), out.nodes.end());
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = source_.node(id);
    if (node.constant() != nullptr || std::binary_search(out.nodes.begin(), out.nodes.end(), id))
      return Instead(AsItIs{});
    out.inputs.push_back(id);
    return Instead(builder.add_input(fmt::format("in{}", out.inputs.size() - 1), node.type));
  };
  GraphCopy copy(source_, builder, {.instead = instead});
  for (const NodeId id : out.nodes) {
    PET_CHECK(source_.has_meaning(id), "a subprogram holds operators with a meaning only");
    const auto copied = copy.make(id);
    PET_CHECK(copied.ok(), "what the source holds can be built again");
  }
  for (const NodeId id : out.nodes) {
    if (!is_used_outside(id, out.nodes)) continue;
    builder.add_output(copy.at(id));
    out.outputs.push_back(id);
  }
  out.place = copy.places();
  out.program = std::move(builder).build();
  out.key = key_of(out.program);
  return out;
}

bool Extractor::is_used_outside(NodeId id, const std::vector<NodeId>& nodes) const {
  return is_output_[id.index()] != 0 || std::ranges::any_of(users_[id.index()], [&](NodeId user) {
           return !std::binary_search(nodes.begin(), nodes.end(), user);
         });
}

Subprogram extract(const Graph& source, std::span<const NodeId> nodes) {
  return Extractor(source).extract(nodes);
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
Graph copy_of(const Graph& program, const std::vector<char>& kept) {
  GraphBuilder builder;
  auto out = GraphCopy(program, builder, {.keep = [&](NodeId id) { return kept[id.index()] != 0; }})
                 .build();
  PET_CHECK(out.ok(), "what was built can be built again");
  return *std::move(out);
}

}  // namespace

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
  const auto needed = mutant.needed_by_outputs();
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Tensor* constant = mutant.node(id).constant();
    const auto weight = constant != nullptr ? weights.find(constant->digest()) : weights.end();
    if (weight == weights.end()) return Instead(AsItIs{});
    return Instead(builder.add_constant(weight->second));
  };
  const auto keep = [&](NodeId id) { return needed[id.index()] != 0; };
  return GraphCopy(mutant, builder, {.instead = instead, .keep = keep}).build();
}

Result<std::vector<NodeId>> append(GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs,
                                   std::span<const std::string> names) {
  PET_CHECK(inputs.size() == program.inputs().size(), "one value an input");
  PET_CHECK(names.size() == program.outputs().size(), "one name an output");
  std::map<NodeId, std::string> of_outputs;
  for (std::size_t j = 0; j < names.size(); ++j) of_outputs[program.outputs()[j]] = names[j];
  const auto name = [&](NodeId id) {
    const auto it = of_outputs.find(id);
    if (it != of_outputs.end()) return it->second;
    return program.node(id).op() != nullptr ? std::string() : program.node(id).name;
  };
  GraphCopy copy(program, builder, {.name = name});
  for (std::size_t i = 0; i < inputs.size(); ++i) copy.put(program.inputs()[i], inputs[i]);
  if (auto done = copy.make_kept(); !done) return std::move(done).error();
  return copy.at(program.outputs());
}

}  // namespace pet
