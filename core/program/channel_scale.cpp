#include "core/program/channel_scale.h"

#include <algorithm>

#include "core/ir/infer.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

// The operand that a term consists of, read at the channel alone.
std::optional<std::size_t> bias_of(const Term& term, std::size_t channel) {
  const bool alone = term.factors.size() == 1 && term.reduce.empty() && term.guards.empty() &&
                     term.coef.tables.empty() && term.coef.scale == 1;
  if (!alone) return std::nullopt;
  const auto& index = term.factors[0].index;
  const auto at_channel = std::ranges::count(index, v(channel));
  const auto nowhere = std::ranges::count(index, IndexExpr(0));
  if (at_channel != 1 || at_channel + nowhere != std::ssize(index)) return std::nullopt;
  return static_cast<std::size_t>(term.factors[0].operand);
}

// Of one access: the results are made of groups of `inside` channels each.
struct Groups {
  const IndexedSum& sum;
  const Term& term;
  std::size_t channel;
  Dim inside;

  // The index of a group and of something inside of it, over which is summed.
  bool is_read_by(const IndexExpr& index, Dim extent) const {
    const Dim groups = sum.out[channel] / inside;
    for (std::size_t r = 0; r < term.reduce.size(); ++r) {
      const Dim each = term.reduce[r];
      const auto grouped = div(v(channel), inside) * each + v(sum.out.size() + r);
      if (index == grouped && extent == groups * each) return true;
    }
    return false;
  }
};

std::optional<ScaledWeight> read_at_channel(const IndexedSum& sum, const Term& term,
                                            const Access& access, const Shape& shape,
                                            std::size_t channel) {
  const auto operand = static_cast<std::size_t>(access.operand);
  const Dim channels = sum.out[channel];
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (access.index[axis] == v(channel) && shape[axis] == channels)
      return ScaledWeight{operand, axis, {}};
  }
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    const Dim inside = shape[axis];
    if (inside < 1 || channels % inside != 0 || access.index[axis] != mod(v(channel), inside))
      continue;
    const Groups groups{sum, term, channel, inside};
    for (std::size_t outer = 0; outer < axis; ++outer) {
      if (groups.is_read_by(access.index[outer], shape[outer]))
        return ScaledWeight{operand, axis, outer};
    }
  }
  return std::nullopt;
}

std::optional<ScaledWeight> weight_of(const Graph& graph, const Node& node, const IndexedSum& sum,
                                      const Term& term, std::size_t channel) {
  for (const Access& access : term.factors) {
    const auto k = static_cast<std::size_t>(access.operand);
    if (k >= node.operands.size() || graph.node(node.operands[k]).constant() == nullptr) continue;
    const Shape& shape = *graph.node(node.operands[k]).type.shape;
    if (const auto weight = read_at_channel(sum, term, access, shape, channel)) return weight;
  }
  return std::nullopt;
}

// Whether the operator takes one more operand, and adds it along the channels.
bool has_room_for_bias(const Graph& graph, NodeId id, std::size_t channel) {
  const Node& node = graph.node(id);
  std::vector<TensorType> types;
  for (const NodeId operand : node.operands) types.push_back(graph.node(operand).type);
  types.push_back(float_tensor({(*node.type.shape)[channel]}));
  const auto with_bias = infer(*node.op(), types, {});
  if (!with_bias || !is_linear(with_bias->meaning)) return false;
  const auto& terms = with_bias->meaning.sum.terms;
  return terms.size() == graph.meaning(id).sum.terms.size() + 1 &&
         bias_of(terms.back(), channel) == node.operands.size();
}

// One factor for each term: an operand that two terms read along different axes would be scaled
// twice for both.
bool each_scales_once(const ChannelScale& found) {
  for (std::size_t i = 0; i < found.weights.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (found.weights[i].operand == found.weights[j].operand) return false;
    if (found.place == BiasPlace::Operand && found.weights[i].operand == found.bias) return false;
  }
  return !found.weights.empty();
}

}  // namespace

std::optional<ChannelScale> channel_scale(const Graph& graph, NodeId id, std::size_t axis) {
  const Node& node = graph.node(id);
  if (!graph.has_meaning(id)) return std::nullopt;
  const Meaning& meaning = graph.meaning(id);
  if (!is_linear(meaning)) return std::nullopt;
  const auto is_single = [](const Term& term) { return term.reduce.empty(); };
  if (std::ranges::all_of(meaning.sum.terms, is_single)) return std::nullopt;  // a map itself
  ChannelScale out;
  for (const Term& term : meaning.sum.terms) {
    const auto weight = weight_of(graph, node, meaning.sum, term, axis);
    if (!weight) return std::nullopt;
    if (bias_of(term, axis) == weight->operand && out.place != BiasPlace::Operand) {
      out.place = BiasPlace::Operand;
      out.bias = weight->operand;
    } else if (std::ranges::find(out.weights, *weight) == out.weights.end()) {
      out.weights.push_back(*weight);
    }
  }
  if (!each_scales_once(out)) return std::nullopt;
  if (out.place != BiasPlace::Operand && has_room_for_bias(graph, id, axis)) {
    out.place = BiasPlace::Room;
    out.bias = node.operands.size();
  }
  return out;
}

Result<NodeId> scaled(GraphBuilder& builder, NodeId w, const ScaledWeight& weight, NodeId scale) {
  const auto reshaped = [&](NodeId x, const Shape& shape) {
    return builder.add(ops::reshape(), Attrs{{"shape", Ints(shape)}}, {x});
  };
  const Shape shape = *builder.type(w).shape;
  const Dim channels = count(*builder.type(scale).shape);
  if (!weight.outer) {
    Shape along(shape.size(), 1);
    along[weight.axis] = channels;
    const auto factor = reshaped(scale, along);
    return factor ? builder.add(ops::mul(), {}, {w, *factor}) : factor;
  }
  // The groups as an axis of their own, in front of what each of them holds.
  const Dim groups = channels / shape[weight.axis];
  Shape apart = shape;
  apart[*weight.outer] /= groups;
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(*weight.outer), groups);
  Shape along(apart.size(), 1);
  along[*weight.outer] = groups;
  along[weight.axis + 1] = shape[weight.axis];
  const auto in_groups = reshaped(w, apart);
  if (!in_groups) return in_groups;
  const auto factor = reshaped(scale, along);
  if (!factor) return factor;
  const auto product = builder.add(ops::mul(), {}, {*in_groups, *factor});
  return product ? reshaped(*product, shape) : product;
}

}  // namespace pet
