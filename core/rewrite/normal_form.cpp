#include "core/rewrite/normal_form.h"

#include <algorithm>

#include "core/ir/copy.h"
#include "core/ops/ops.h"

namespace pet::rules {
namespace {

bool is_convolution(const Node& node, std::size_t operands) {
  return node.op() != nullptr && node.op()->def == &ops::conv() &&
         node.operands.size() == operands && node.type.shape;
}

Shape shape_of_bias(const Shape& result) {
  Shape out(result.size() - 1, 1);
  out[0] = result[1];
  return out;
}

Instead with_bias_behind(GraphBuilder& builder, const Node& node) {
  const auto make = [&builder, &node](const std::vector<NodeId>& operands) -> Result<NodeId> {
    const auto product = builder.add(ops::conv(), node.op()->attrs, {operands[0], operands[1]});
    if (!product) return product;
    const auto bias =
        builder.add(ops::reshape(), {{"shape", shape_of_bias(*node.type.shape)}}, {operands[2]});
    if (!bias) return bias;
    return builder.add(ops::add(), {}, {*product, *bias}, node.name);
  };
  return MadeOf{node.operands, make};
}

// A convolution and its bias that stand apart because with_biases_apart put them so.
class Apart {
 public:
  explicit Apart(const Graph& program)
      : program_(program),
        readers_(program.consumers()),
        outputs_(program.outputs().begin(), program.outputs().end()) {}

  // By node: the convolution's operands and the bias; nothing where it is no such sum.
  std::optional<std::vector<NodeId>> at(NodeId id) const {
    const Node& sum = program_.node(id);
    if (sum.op() == nullptr || sum.op()->def != &ops::add()) return std::nullopt;
    const Node& product = program_.node(sum.operands[0]);
    const Node& bias = program_.node(sum.operands[1]);
    const bool is_alone = readers_[sum.operands[0].index()].size() == 1 &&
                          std::ranges::find(outputs_, sum.operands[0]) == outputs_.end();
    if (!is_convolution(product, 2) || !product.name.empty() || !is_alone) return std::nullopt;
    if (bias.op() == nullptr || bias.op()->def != &ops::reshape() || !bias.name.empty() ||
        bias.type.shape != shape_of_bias(*product.type.shape))
      return std::nullopt;
    const auto& from = program_.node(bias.operands[0]).type.shape;
    if (!from || from->size() != 1) return std::nullopt;
    return std::vector{product.operands[0], product.operands[1], bias.operands[0]};
  }

 private:
  const Graph& program_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<NodeId> outputs_;
};

}  // namespace

Result<Graph> with_biases_apart(const Graph& program) {
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = program.node(id);
    if (!is_convolution(node, 3)) return Instead(AsItIs{});
    return with_bias_behind(builder, node);
  };
  return GraphCopy(program, builder, {.instead = instead}).build();
}

Result<Graph> with_biases_inside(const Graph& program) {
  const Apart apart(program);
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const auto operands = apart.at(id);
    if (!operands) return Instead(AsItIs{});
    const Attrs& attrs = program.node(program.node(id).operands[0]).op()->attrs;
    return Instead(MadeOf{*operands, [&builder, &program, &attrs, id](std::vector<NodeId> made) {
                            return builder.add(ops::conv(), attrs, std::move(made),
                                               program.node(id).name);
                          }});
  };
  const auto keep = [](NodeId) { return false; };
  return GraphCopy(program, builder, {.instead = instead, .keep = keep}).build();
}

}  // namespace pet::rules
