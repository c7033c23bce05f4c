#include "core/program/fold_affine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ir/copy.h"
#include "core/ir/infer.h"
#include "core/ops/ops.h"
#include "core/program/channel_map.h"
#include "core/program/channel_scale.h"

namespace pet {
namespace {

// Files are hostile: a longer chain is folded in parts.
constexpr std::size_t kMostMaps = 16;

struct Chain {
  AffineChain nodes;
  std::vector<ChannelMap> maps;
  std::size_t axis = 0;
  ChannelScale scale;

  bool scales() const { return std::ranges::any_of(maps, &ChannelMap::scales); }
  bool shifts() const {
    return std::ranges::any_of(maps, [](const ChannelMap& map) { return !map.offsets.empty(); });
  }
  // In the end there are fewer operators.
  bool gains() const {
    return !maps.empty() && (scale.place != BiasPlace::Apart || !shifts() || maps.size() > 1);
  }
};

class Chains {
 public:
  Chains(const Graph& graph, FoldWhat what, FoldBeside beside)
      : graph_(graph), what_(what), beside_(beside), users_(graph.consumers()) {}

  // The longest that ends with this map.
  std::optional<Chain> ending_at(NodeId id) const {
    Chain whole;
    std::optional<std::size_t> axis;
    for (NodeId at = id; whole.maps.size() < kMostMaps;) {
      auto map = map_at(at);
      if (!map || (axis && map->axis && *axis != *map->axis)) break;
      if (map->axis) axis = map->axis;
      const NodeId data = graph_.node(at).operands[map->data];
      if (beside_ == FoldBeside::Nobody && !is_read_once(data)) break;
      whole.nodes.maps.insert(whole.nodes.maps.begin(), at);
      whole.maps.insert(whole.maps.begin(), *std::move(map));
      at = data;
    }
    while (!whole.maps.empty()) {
      const NodeId first = whole.nodes.maps.front();
      whole.nodes.weighted = graph_.node(first).operands[whole.maps.front().data];
      if (choose_scale(whole) && whole.gains()) return whole;
      whole.nodes.maps.erase(whole.nodes.maps.begin());
      whole.maps.erase(whole.maps.begin());
    }
    return std::nullopt;
  }

  // From the end: what one covers is no end of another.
  std::vector<Chain> apart() const {
    std::vector<Chain> out;
    std::set<NodeId> covered;
    auto ids = graph_.ids();
    for (auto it = std::rbegin(ids); it != std::rend(ids); ++it) {
      if (covered.contains(*it)) continue;
      auto chain = ending_at(*it);
      if (!chain) continue;
      covered.insert(chain->nodes.weighted);
      covered.insert(chain->nodes.maps.begin(), chain->nodes.maps.end());
      out.push_back(*std::move(chain));
    }
    std::ranges::reverse(out);
    return out;
  }

 private:
  std::optional<ChannelMap> map_at(NodeId id) const {
    const Node& node = graph_.node(id);
    if (what_ == FoldWhat::BatchNorms &&
        (node.op() == nullptr || node.op()->def != &ops::batch_normalization()))
      return std::nullopt;
    return channel_map(graph_, id);
  }

  // The axis along which the maps differ, else the first that scales.
  bool choose_scale(Chain& chain) const {
    const auto& shape = graph_.node(chain.nodes.weighted).type.shape;
    const auto along = [](const ChannelMap& map) { return map.axis.has_value(); };
    const auto given = std::ranges::find_if(chain.maps, along);
    for (std::size_t axis = 0; shape && axis < shape->size(); ++axis) {
      if (given != chain.maps.end() && *given->axis != axis) continue;
      if (auto scale = channel_scale(graph_, chain.nodes.weighted, axis)) {
        chain.axis = axis;
        chain.scale = *std::move(scale);
        return true;
      }
    }
    return false;
  }

  bool is_read_once(NodeId id) const {
    const auto& outputs = graph_.outputs();
    return users_[id.index()].size() == 1 &&
           std::find(outputs.begin(), outputs.end(), id) == outputs.end();
  }

  const Graph& graph_;
  const FoldWhat what_;
  const FoldBeside beside_;
  std::vector<std::vector<NodeId>> users_;
};

// One chain as expressions in `builder`.
class Folded {
 public:
  Folded(const Graph& graph, const Chain& chain, GraphBuilder& builder)
      : graph_(graph),
        chain_(chain),
        builder_(builder),
        channels_((*graph.node(chain.nodes.weighted).type.shape)[chain.axis]) {}

  // What the expression reads: the other operands of every map, then those of the operator.
  std::vector<NodeId> reads() const {
    std::vector<NodeId> out;
    for (std::size_t i = 0; i < chain_.maps.size(); ++i) {
      const auto& operands = node(i).operands;
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (k != chain_.maps[i].data) out.push_back(operands[k]);
    }
    const auto& operands = graph_.node(chain_.nodes.weighted).operands;
    out.insert(out.end(), operands.begin(), operands.end());
    return out;
  }

  // `there`: what stands for each of them.
  Result<NodeId> made_of(const std::vector<NodeId>& there) {
    rest_ = there;
    std::vector<NodeId> operands(rest_.end() - std::ssize(weighted().operands), rest_.end());
    const Shape flat = flat_shape();
    const bool has_bias = chain_.scale.place == BiasPlace::Operand;
    if (auto done = scale_weights(operands, flat); !done) return std::move(done).error();
    const auto zero = filled(0, {channels_});
    if (!zero) return zero;
    const NodeId before = has_bias ? operands[chain_.scale.bias] : *zero;
    const auto start = reshaped(before, flat);
    if (!start) return start;
    const auto after = through_all(*start, true);
    if (!after) return after;
    return with_bias(std::move(operands), *after);
  }

 private:
  const Node& node(std::size_t i) const { return graph_.node(chain_.nodes.maps[i]); }
  const std::string& name() const { return node(chain_.maps.size() - 1).name; }
  const Node& weighted() const { return graph_.node(chain_.nodes.weighted); }

  // A number everywhere; no constant of that shape, which might be a weight of the program. By
  // value: the shape may be one of the builder, which grows.
  Result<NodeId> filled(float value, Shape shape) {
    const NodeId number = builder_.add_scalar(value);
    if (shape.empty()) return number;
    return builder_.add(ops::expand(), Attrs{{"shape", Ints(std::move(shape))}}, {number});
  }
  Result<NodeId> reshaped(NodeId x, const Shape& shape) {
    return builder_.add(ops::reshape(), Attrs{{"shape", Ints(shape)}}, {x});
  }

  // One element a channel, of as few axes as the maps allow.
  Shape flat_shape() const {
    const std::size_t most = weighted().type.shape->size();
    for (std::size_t axes = chain_.axis + 1; axes < most; ++axes)
      if (all_keep(flat_shape(axes))) return flat_shape(axes);
    return flat_shape(most);
  }
  Shape flat_shape(std::size_t axes) const {
    Shape out(axes, 1);
    out[chain_.axis] = channels_;
    return out;
  }
  bool all_keep(const Shape& shape) const {
    for (std::size_t i = 0; i < chain_.maps.size(); ++i) {
      std::vector<TensorType> types;
      for (const NodeId operand : node(i).operands) types.push_back(graph_.node(operand).type);
      types[chain_.maps[i].data] = float_tensor(shape);
      const auto inferred = infer(*node(i).op(), types, {});
      if (!inferred || inferred->type != float_tensor(shape)) return false;
    }
    return true;
  }

  // `x` through every map; without what they shift it by where `shifted` is false.
  Result<NodeId> through_all(NodeId x, bool shifted) {
    auto next = rest_.begin();
    for (std::size_t i = 0; i < chain_.maps.size(); ++i) {
      const ChannelMap& map = chain_.maps[i];
      std::vector<NodeId> operands(next, next + std::ssize(node(i).operands) - 1);
      next += std::ssize(operands);
      operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(map.data), x);
      if (!shifted && !map.scales) continue;
      for (const std::size_t k : map.offsets) {
        if (shifted) break;
        const auto zero = filled(0, *builder_.type(operands[k]).shape);
        if (!zero) return zero;
        operands[k] = *zero;
      }
      const auto made = builder_.add(*node(i).op(), std::move(operands));
      if (!made) return made;
      x = *made;
    }
    return x;
  }

  Status scale_weights(std::vector<NodeId>& operands, const Shape& flat) {
    if (!chain_.scales()) return Done{};
    const auto ones = filled(1, flat);
    if (!ones) return ones.error();
    const auto scale = through_all(*ones, false);
    if (!scale) return scale.error();
    for (const ScaledWeight& weight : chain_.scale.weights) {
      const auto made = scaled(builder_, operands[weight.operand], weight, *scale);
      if (!made) return made.error();
      operands[weight.operand] = *made;
    }
    return Done{};
  }

  Result<NodeId> with_bias(std::vector<NodeId> operands, NodeId bias) {
    if (chain_.scale.place == BiasPlace::Apart) return with_bias_apart(std::move(operands), bias);
    const bool is_there = chain_.scale.place == BiasPlace::Operand;
    const auto shaped = reshaped(
        bias, is_there ? *builder_.type(operands[chain_.scale.bias]).shape : Shape{channels_});
    if (!shaped) return shaped;
    operands.resize(std::max(operands.size(), chain_.scale.bias + 1), *shaped);
    operands[chain_.scale.bias] = *shaped;
    return builder_.add(*weighted().op(), std::move(operands), name());
  }

  Result<NodeId> with_bias_apart(std::vector<NodeId> operands, NodeId bias) {
    if (!chain_.shifts()) return builder_.add(*weighted().op(), std::move(operands), name());
    const auto made = builder_.add(*weighted().op(), std::move(operands));
    if (!made) return made;
    Shape along(weighted().type.shape->size() - chain_.axis, 1);
    along[0] = channels_;
    const auto added = reshaped(bias, along);
    return added ? builder_.add(ops::add(), {}, {*made, *added}, name()) : added;
  }

  const Graph& graph_;
  const Chain& chain_;
  GraphBuilder& builder_;
  const Dim channels_;
  std::vector<NodeId> rest_;
};

class Folding {
 public:
  Folding(const Graph& graph, FoldWhat what, FoldBeside beside) : graph_(graph), beside_(beside) {
    const Chains chains(graph, what, beside);
    if (beside == FoldBeside::Nobody) {
      for (Chain& chain : chains.apart()) put(std::move(chain));
      return;
    }
    for (const NodeId id : graph.ids())
      if (auto chain = chains.ending_at(id)) put(*std::move(chain));
  }

  Result<Graph> run() {
    const auto keep = [&](NodeId id) { return !inside_.contains(id); };
    const auto instead = [this](NodeId id) -> Result<Instead> {
      const auto chain = chains_.find(id);
      if (chain == chains_.end()) return Instead(AsItIs{});
      return Instead(MadeOf{Folded(graph_, chain->second, builder_).reads(),
                            [this, chain](const std::vector<NodeId>& there) {
                              return Folded(graph_, chain->second, builder_).made_of(there);
                            }});
    };
    return GraphCopy(graph_, builder_, {.instead = instead, .keep = keep}).build();
  }

 private:
  void put(Chain chain) {
    const AffineChain& nodes = chain.nodes;
    if (beside_ == FoldBeside::Nobody) {
      inside_.insert(nodes.weighted);
      inside_.insert(nodes.maps.begin(), std::prev(nodes.maps.end()));
    }
    const NodeId last = nodes.maps.back();
    chains_.emplace(last, std::move(chain));
  }

  const Graph& graph_;
  const FoldBeside beside_;
  std::map<NodeId, Chain> chains_;  // by the last map
  std::set<NodeId> inside_;         // what nothing reads any longer
  GraphBuilder builder_;
};

}  // namespace

Result<Graph> fold_affine(const Graph& graph, FoldWhat what, FoldBeside beside) {
  return Folding(graph, what, beside).run();
}

std::vector<AffineChain> foldable(const Graph& graph, FoldWhat what) {
  std::vector<AffineChain> out;
  for (Chain& chain : Chains(graph, what, FoldBeside::Nobody).apart())
    out.push_back(std::move(chain.nodes));
  return out;
}

}  // namespace pet
