#include "core/program/fold_batch_norm.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/ir/copy.h"
#include "core/ir/infer.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

constexpr int kChannels = 1;    // the axis that a batch normalisation works along
constexpr int kParameters = 4;  // of a batch normalisation: scale, bias, mean and variance

bool is_channel(const IndexExpr& index) {
  return index.constant() == 0 && index.parts().size() == 1 && index.parts()[0].is_plain_axis() &&
         index.parts()[0].axis == kChannels && index.parts()[0].coefficient == 1;
}

// A term that is one operand alone, read at the channel.
std::optional<std::size_t> bias_of(const Term& term) {
  const bool alone = term.factors.size() == 1 && term.reduce.empty() && term.guards.empty() &&
                     term.coef.tables.empty() && term.coef.scale == 1;
  if (!alone || term.factors[0].index.size() != 1 || !is_channel(term.factors[0].index[0]))
    return std::nullopt;
  return static_cast<std::size_t>(term.factors[0].operand);
}

// The results of an operator scale with this operand along the channels: its axis `axis`.
struct Weight {
  std::size_t operand = 0;
  std::size_t axis = 0;

  bool operator==(const Weight&) const = default;
};

// An operator without its bias, and where the bias stands or would stand.
struct Scalable {
  std::vector<Weight> weights;
  std::size_t bias = 0;
  bool has_bias = false;
};

std::optional<Weight> weight_of(const Graph& graph, const Node& node, const Term& term) {
  for (const Access& access : term.factors) {
    const auto k = static_cast<std::size_t>(access.operand);
    if (k >= node.operands.size() || graph.node(node.operands[k]).constant() == nullptr) continue;
    const Shape& shape = *graph.node(node.operands[k]).type.shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (is_channel(access.index[axis]) && shape[axis] == (*node.type.shape)[kChannels])
        return Weight{k, axis};
    }
  }
  return std::nullopt;
}

// Whether the operator takes one more operand, and adds it along the channels.
bool has_room_for_bias(const Graph& graph, NodeId id, Dim channels) {
  const Node& node = graph.node(id);
  std::vector<TensorType> types;
  for (const NodeId operand : node.operands) types.push_back(graph.node(operand).type);
  types.push_back(float_tensor({channels}));
  const auto with_bias = infer(*node.op(), types, {});
  if (!with_bias || !is_linear(with_bias->meaning)) return false;
  const auto& terms = with_bias->meaning.sum.terms;
  return terms.size() == graph.meaning(id).sum.terms.size() + 1 &&
         bias_of(terms.back()) == node.operands.size();
}

std::optional<Scalable> scalable(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (!graph.has_meaning(id)) return std::nullopt;
  const Meaning& meaning = graph.meaning(id);
  if (!is_linear(meaning) || meaning.sum.out.size() < 2) return std::nullopt;
  Scalable out;
  for (const Term& term : meaning.sum.terms) {
    const auto weight = weight_of(graph, node, term);
    if (!weight) return std::nullopt;
    if (bias_of(term) == weight->operand && !out.has_bias) {
      out.has_bias = true;
      out.bias = weight->operand;
    } else if (std::find(out.weights.begin(), out.weights.end(), *weight) == out.weights.end()) {
      out.weights.push_back(*weight);
    }
  }
  // One factor for each term: an operand that two terms read along different axes would be scaled
  // twice for both.
  for (std::size_t i = 0; i < out.weights.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (out.weights[i].operand == out.weights[j].operand) return std::nullopt;
    if (out.has_bias && out.weights[i].operand == out.bias) return std::nullopt;
  }
  if (out.weights.empty()) return std::nullopt;
  if (out.has_bias) return out;
  out.bias = node.operands.size();
  if (!has_room_for_bias(graph, id, meaning.sum.out[kChannels])) return std::nullopt;
  return out;
}

class Folding {
 public:
  Folding(const Graph& graph, FoldBeside beside)
      : graph_(graph), beside_(beside), users_(graph.consumers()) {}

  std::vector<NodeId> foldable() const {
    std::vector<NodeId> out;
    for (const NodeId id : graph_.ids())
      if (is_normalisation(id)) out.push_back(id);
    return out;
  }

  Result<Graph> run() {
    std::set<NodeId> normalised_only;
    for (const NodeId id : foldable()) {
      const NodeId data = graph_.node(id).operands[0];
      if (is_read_once(data)) normalised_only.insert(data);
    }
    const auto keep = [&](NodeId id) { return !normalised_only.contains(id); };
    const auto instead = [this](NodeId id) -> Result<Instead> {
      if (!is_normalisation(id)) return Instead(AsItIs{});
      const Node& norm = graph_.node(id);
      std::vector<NodeId> values(norm.operands.begin() + 1, norm.operands.end());
      const auto& read = graph_.node(norm.operands[0]).operands;
      values.insert(values.end(), read.begin(), read.end());
      return Instead(MadeOf{std::move(values), [this, id](const std::vector<NodeId>& there) {
                              const auto operands = there.begin() + kParameters;
                              return folded(id, {there.begin(), operands}, {operands, there.end()});
                            }});
    };
    return GraphCopy(graph_, builder_, {.instead = instead, .keep = keep}).build();
  }

 private:
  bool is_normalisation(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.op() == nullptr || node.op()->def != &ops::batch_normalization()) return false;
    const NodeId data = node.operands[0];
    const bool constant =
        std::all_of(node.operands.begin() + 1, node.operands.end(),
                    [&](NodeId o) { return graph_.node(o).constant() != nullptr; });
    return constant && (beside_ == FoldBeside::Others || is_read_once(data)) &&
           scalable(graph_, data).has_value();
  }

  bool is_read_once(NodeId id) const {
    const auto& outputs = graph_.outputs();
    return users_[id.index()].size() == 1 &&
           std::find(outputs.begin(), outputs.end(), id) == outputs.end();
  }

  // A number everywhere; no constant of that shape, which might be a weight of the program.
  Result<NodeId> filled(float value, const Shape& shape) {
    return builder_.add(ops::expand(), Attrs{{"shape", Ints(shape)}}, {builder_.add_scalar(value)});
  }
  Result<NodeId> reshaped(NodeId x, const Shape& shape) {
    return builder_.add(ops::reshape(), Attrs{{"shape", Ints(shape)}}, {x});
  }
  Result<NodeId> normalised(const Node& norm, NodeId x, const std::vector<NodeId>& parameters,
                            NodeId bias, NodeId mean) {
    return builder_.add(*norm.op(), {x, parameters[0], bias, mean, parameters[3]});
  }

  // `parameters`: what stands for the scale, bias, mean and variance of the normalisation;
  // `operands`: for what the operator in front of it reads.
  Result<NodeId> folded(NodeId id, const std::vector<NodeId>& parameters,
                        std::vector<NodeId> operands) {
    const Node& norm = graph_.node(id);
    const Node& node = graph_.node(norm.operands[0]);
    const Scalable parts = *scalable(graph_, norm.operands[0]);
    const Dim channels = (*node.type.shape)[kChannels];
    const auto zero = filled(0, {channels});
    const auto ones = filled(1, {1, channels});
    if (!zero) return zero.error();
    if (!ones) return ones.error();
    const auto scale = normalised(norm, *ones, parameters, *zero, *zero);
    if (!scale) return scale.error();
    for (const Weight& weight : parts.weights) {
      Shape along(builder_.type(operands[weight.operand]).shape->size(), 1);
      along[weight.axis] = channels;
      const auto factor = reshaped(*scale, along);
      if (!factor) return factor.error();
      const auto scaled = builder_.add(ops::mul(), {}, {operands[weight.operand], *factor});
      if (!scaled) return scaled.error();
      operands[weight.operand] = *scaled;
    }
    const auto before = reshaped(parts.has_bias ? operands[parts.bias] : *zero, {1, channels});
    if (!before) return before.error();
    const auto after = normalised(norm, *before, parameters, parameters[1], parameters[2]);
    if (!after) return after.error();
    const auto bias = reshaped(*after, {channels});
    if (!bias) return bias.error();
    if (parts.has_bias) {
      operands[parts.bias] = *bias;
    } else {
      operands.push_back(*bias);
    }
    return builder_.add(*node.op(), std::move(operands), norm.name);
  }

  const Graph& graph_;
  const FoldBeside beside_;
  std::vector<std::vector<NodeId>> users_;
  GraphBuilder builder_;
};

}  // namespace

Result<Graph> fold_batch_norms(const Graph& graph, FoldBeside beside) {
  return Folding(graph, beside).run();
}

std::vector<NodeId> foldable_batch_norms(const Graph& graph) {
  return Folding(graph, FoldBeside::Nobody).foldable();
}

}  // namespace pet
