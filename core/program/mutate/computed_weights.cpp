#include "core/program/mutate/computed_weights.h"

#include "core/ir/builder.h"
#include "core/program/subprogram.h"
#include "core/util/check.h"
#include "core/util/rng.h"

namespace pet::mutation {
namespace {

// Numbers that no weight of a program has by chance.
std::shared_ptr<const Tensor> no_meaning(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(static_cast<std::size_t>(count(shape)));
  for (float& value : values) value = static_cast<float>(rng.between(1, 1 << 23)) / (1 << 22);
  return std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(values)));
}

}  // namespace

ComputedWeights::ComputedWeights(const Graph& program) : program_(program) {
  const auto depends = program.depends_on_inputs();
  GraphBuilder b;
  std::vector<NodeId> place(program.nodes().size());
  for (const NodeId id : program.inputs())
    place[id.index()] = b.add_input(program.node(id).input()->name, program.node(id).type);
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (node.input() != nullptr || depends[id.index()] == 0) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) {
      const Node& from = program.node(operand);
      NodeId& there = place[operand.index()];
      if (depends[operand.index()] == 0 && from.op() != nullptr) {
        const auto weight = no_meaning(*from.type.shape, operand.index() + 1);
        weights_[weight->digest()] = operand;
        there = b.add_constant(weight);
      } else if (from.constant() != nullptr) {
        there = b.add_constant(std::get<ConstantLeaf>(from.what), from.name);
      }
      operands.push_back(there);
    }
    auto made = copy_node(b, node, std::move(operands));
    PET_CHECK(made.ok(), "a weight of the same type takes the place of an expression");
    place[id.index()] = *made;
  }
  for (const NodeId id : program.outputs()) b.add_output(place[id.index()]);
  with_constants_ = std::move(b).build();
}

Result<NodeId> ComputedWeights::expression(GraphBuilder& b, NodeId id,
                                           std::map<NodeId, NodeId>& made) const {
  const auto known = made.find(id);
  if (known != made.end()) return known->second;
  const Node& node = program_.node(id);
  std::vector<NodeId> operands;
  for (const NodeId operand : node.operands) {
    auto there = expression(b, operand, made);
    if (!there) return there;
    operands.push_back(*there);
  }
  auto out = copy_node(b, node, std::move(operands));
  if (out) made[id] = *out;
  return out;
}

Result<Graph> ComputedWeights::with_expressions(const Graph& mutant) const {
  std::map<NodeId, NodeId> made;
  return with_constants_replaced(
      mutant, [&](GraphBuilder& b, const Tensor& constant) -> Result<std::optional<NodeId>> {
        const auto weight = weights_.find(constant.digest());
        if (weight == weights_.end()) return std::optional<NodeId>{};
        auto there = expression(b, weight->second, made);
        if (!there) return std::move(there).error();
        return std::optional(*there);
      });
}

}  // namespace pet::mutation
