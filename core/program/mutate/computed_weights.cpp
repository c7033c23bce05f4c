#include "core/program/mutate/computed_weights.h"

#include "core/ir/copy.h"
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
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = program.node(id);
    if (depends[id.index()] != 0 || node.op() == nullptr) return Instead(AsItIs{});
    const auto weight = no_meaning(*node.type.shape, id.index() + 1);
    weights_[weight->digest()] = id;
    return Instead(b.add_constant(weight));
  };
  const auto keep = [&](NodeId id) { return depends[id.index()] != 0; };
  auto made = GraphCopy(program, b, {.instead = instead, .keep = keep}).build();
  PET_CHECK(made.ok(), "a weight of the same type takes the place of an expression");
  with_constants_ = *std::move(made);
}

Result<Graph> ComputedWeights::with_expressions(const Graph& mutant) const {
  const auto needed = mutant.needed_by_outputs();
  GraphBuilder b;
  GraphCopy expressions(program_, b);
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Tensor* constant = mutant.node(id).constant();
    const auto weight = constant != nullptr ? weights_.find(constant->digest()) : weights_.end();
    if (weight == weights_.end()) return Instead(AsItIs{});
    if (auto made = expressions.make(weight->second); !made) return std::move(made).error();
    return Instead(expressions.at(weight->second));
  };
  const auto keep = [&](NodeId id) { return needed[id.index()] != 0; };
  return GraphCopy(mutant, b, {.instead = instead, .keep = keep}).build();
}

}  // namespace pet::mutation
