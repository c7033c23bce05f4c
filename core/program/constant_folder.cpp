#include "core/program/constant_folder.h"

#include <algorithm>

#include "core/eval/rounding.h"
#include "core/program/subprogram.h"

namespace pet {
namespace {

// Operators that constants alone decide.
bool is_foldable(const Node& node, bool depends_on_inputs) {
  return node.op() != nullptr && !node.operands.empty() && !depends_on_inputs;
}

}  // namespace

ConstantFolder::ConstantFolder(const Graph& original, std::size_t threads, std::stop_token stop)
    : threads_(threads), stop_(std::move(stop)) {
  for (const Node& node : original.nodes()) {
    const Tensor* tensor = node.constant();
    if (tensor != nullptr && tensor->type().dtype == DType::Float && tensor->floats().size() > 1)
      symbols_.insert(tensor->digest());
  }
}

// The value `id` of `program` inside the weight programs, with the original's constants as inputs.
Result<NodeId> ConstantFolder::copy_program(const Graph& program, NodeId id,
                                            std::map<NodeId, NodeId>& place) {
  if (const auto it = place.find(id); it != place.end()) return it->second;
  const Node& node = program.node(id);
  if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what)) {
    const Digest& digest = (*leaf)->digest();
    return place[id] = symbols_.contains(digest) ? programs_.add_input(digest.hex(), node.type)
                                                 : programs_.add_constant(*leaf);
  }
  std::vector<NodeId> operands;
  for (const NodeId operand : node.operands) {
    auto copied = copy_program(program, operand, place);
    if (!copied) return copied;
    operands.push_back(*copied);
  }
  auto made = programs_.add(*node.op(), std::move(operands));
  if (made) place[id] = *made;
  return made;
}

Result<Graph> ConstantFolder::fold(const Graph& program) {
  const auto depends = program.depends_on_inputs();
  std::map<NodeId, NodeId> programs;
  std::map<NodeId, NodeId> place;
  GraphBuilder builder;
  const auto operand_of = [&](NodeId id) -> Result<NodeId> {
    if (const auto it = place.find(id); it != place.end()) return it->second;
    if (const auto* leaf = std::get_if<ConstantLeaf>(&program.node(id).what))
      return place[id] = builder.add_constant(*leaf, program.node(id).name);
    auto value = correctly_rounded(program, id, threads_, stop_);
    if (!value) return std::move(value).error().within("a folded constant");
    const Digest digest = value->digest();
    if (std::find(results_.begin(), results_.end(), digest) == results_.end()) {
      auto made = copy_program(program, id, programs);
      if (!made) return made;
      programs_.add_output(*made);
      results_.push_back(digest);
    }
    return place[id] = builder.add_constant(std::make_shared<const Tensor>(*std::move(value)));
  };
  for (const NodeId id : program.inputs())
    place[id] = builder.add_input(program.node(id).input()->name, program.node(id).type);
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (node.op() == nullptr || is_foldable(node, depends[id.index()] != 0)) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) {
      auto copied = operand_of(operand);
      if (!copied) return std::move(copied).error();
      operands.push_back(*copied);
    }
    auto made = copy_node(builder, node, std::move(operands));
    if (!made) return std::move(made).error();
    place[id] = *made;
  }
  for (const NodeId id : program.outputs()) {
    auto output = operand_of(id);
    if (!output) return std::move(output).error();
    builder.add_output(*output);
  }
  return std::move(builder).build();
}

WeightPrograms ConstantFolder::programs() && {
  return {std::move(programs_).build(), std::move(results_)};
}

}  // namespace pet
