// Where the generator starts: a subprogram read as one product of data and weight. One operator is
// one by itself; operators side by side are joined into one, operators in a row composed.
#include <algorithm>
#include <numeric>

#include "core/program/mutate/compose.h"
#include "core/program/mutate/moves.h"
#include "core/program/sums.h"

namespace pet::mutation {
namespace {

std::vector<NodeId> operators_of(const Graph& graph) {
  std::vector<NodeId> out;
  for (const NodeId id : graph.ids()) {
    if (graph.node(id).op() != nullptr) out.push_back(id);
  }
  return out;
}

bool reads_leaves(const Graph& graph, NodeId id) {
  const auto& operands = graph.node(id).operands;
  return std::all_of(operands.begin(), operands.end(),
                     [&](NodeId operand) { return graph.node(operand).op() == nullptr; });
}

// Every operand that may be the data.
std::vector<State> single(const Graph& graph, NodeId node) {
  std::vector<State> out;
  const auto& operands = graph.node(node).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (graph.node(operands[i]).constant() != nullptr) continue;
    if (auto layer = read_layer(graph, node, i)) out.push_back(state_of(*layer));
  }
  if (!out.empty()) return out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (graph.node(operands[i]).constant() != nullptr) continue;
    if (auto state = fixed_state(graph, node, i)) out.push_back(*std::move(state));
  }
  return out;
}

// ---- operators side by side

bool are_alike(const std::vector<Layer>& layers) {
  return std::all_of(layers.begin() + 1, layers.end(),
                     [&](const Layer& layer) { return layer.same_but_features(layers.front()); });
}

// Whether features of several layers can stand one after another, or in groups.
bool have_features(const Layer& layer, const State& state) {
  return state.feature_digit >= 0 &&
         (!layer.bias || state.bias_dims == DigitDims{{state.feature_digit}});
}

State merged(const std::vector<Layer>& layers, Merging how) {
  State s = state_of(layers.front());
  s.merged = how;
  s.parts.clear();
  Dim divisor = 0;
  Dim most = 0;
  Dim sum = 0;
  for (const Layer& layer : layers) {
    s.parts.push_back(state_of(layer).parts.front());
    divisor = std::gcd(divisor, s.parts.back().features);
    most = std::max(most, s.parts.back().features);
    sum += s.parts.back().features;
  }
  Dim groups = 0;
  Dim low = 0;
  for (Part& part : s.parts) {
    if (how == Merging::CommonDivisor) part.repeat = part.features / divisor;
    groups += part.repeat;
    s.sinks.push_back({low, part.features});
    low += how == Merging::Groups ? most : part.features;
  }
  const auto feature = static_cast<std::size_t>(s.feature_digit);
  if (how == Merging::Features) {
    s.extent[feature] = sum;
    s.moves.emplace_back(move::Merge{how});
    return s;
  }
  s.extent[feature] = how == Merging::Groups ? most : divisor;
  s.part_digit = s.digit(groups);
  OpAxis group;
  group.role = Role::Group;
  group.data = group.weight = group.result = {s.part_digit};
  s.axes.push_back(std::move(group));
  for (auto& dim : s.result_dims) {
    const auto at = std::find(dim.begin(), dim.end(), s.feature_digit);
    if (at != dim.end()) dim.insert(at, s.part_digit);
  }
  s.moves.emplace_back(move::Merge{how});
  return s;
}

// The operators as products that can be joined; empty where they are not.
std::vector<Layer> joinable_layers(const Graph& graph, const std::vector<NodeId>& operators) {
  std::vector<Layer> layers;
  for (const NodeId id : operators) {
    if (!reads_leaves(graph, id)) return {};
    auto layer = read_layer(graph, id);
    if (!layer) return {};
    layers.push_back(*std::move(layer));
  }
  if (layers.size() < 2 || !are_alike(layers) || layers.front().has(Role::Group)) return {};
  return layers;
}

bool of_same_data(const std::vector<Layer>& layers) {
  return std::all_of(layers.begin(), layers.end(),
                     [&](const Layer& layer) { return layer.data == layers.front().data; });
}

std::vector<State> side_by_side(const Graph& graph, const std::vector<NodeId>& operators) {
  if (graph.outputs() != operators) return {};
  const std::vector<Layer> layers = joinable_layers(graph, operators);
  if (layers.empty()) return {};
  const State first = state_of(layers.front());
  if (!have_features(layers.front(), first)) return {};
  std::vector<State> out;
  if (of_same_data(layers)) out.push_back(merged(layers, Merging::Features));
  if (first.channel_digit < 0) return out;
  out.push_back(merged(layers, Merging::Groups));
  State divided = merged(layers, Merging::CommonDivisor);
  const bool even = std::all_of(divided.parts.begin(), divided.parts.end(),
                                [](const Part& part) { return part.repeat == 1; });
  if (!even) out.push_back(std::move(divided));
  return out;
}

// ---- operators side by side whose results are added

// A sum of products is one product over the channels of all of them.
std::vector<State> added_up(const Graph& graph, const std::vector<NodeId>& operators) {
  const Addition addition = addition_at(graph, graph.consumers(), operators.back());
  if (addition.sums.size() + addition.addends.size() != operators.size()) return {};
  const std::vector<Layer> layers = joinable_layers(graph, addition.addends);
  if (layers.empty()) return {};
  State s = state_of(layers.front());
  s.parts.clear();
  for (const Layer& layer : layers) s.parts.push_back(state_of(layer).parts.front());
  std::vector<State> out;
  if (of_same_data(layers)) {
    out.push_back(s);
    out.back().merged = Merging::Sum;
    out.back().moves.emplace_back(move::Merge{Merging::Sum});
  }
  const auto channel = std::find_if(s.axes.begin(), s.axes.end(),
                                    [](const OpAxis& axis) { return axis.role == Role::Channel; });
  s.merged = Merging::Channels;
  s.part_digit = s.digit(static_cast<Dim>(layers.size()));
  OpAxis part;
  part.role = Role::Channel;
  part.data = part.weight = {s.part_digit};
  s.axes.insert(channel, std::move(part));
  s.moves.emplace_back(move::Merge{Merging::Channels});
  out.push_back(std::move(s));
  return out;
}

// ---- one reading the other

std::vector<State> in_a_row(const Graph& graph, NodeId first, NodeId second) {
  std::vector<State> out;
  const auto& operands = graph.node(second).operands;
  if (!reads_leaves(graph, first)) return out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] != first) continue;
    const auto outer = read_layer(graph, second, i);
    if (!outer || graph.node(outer->weight).op() != nullptr) continue;
    for (std::size_t j = 0; j < graph.node(first).operands.size(); ++j) {
      if (graph.node(graph.node(first).operands[j]).constant() != nullptr) continue;
      const auto inner = read_layer(graph, first, j);
      if (!inner) continue;
      if (auto state = composed_state(*inner, *outer)) out.push_back(*std::move(state));
    }
  }
  return out;
}

}  // namespace

std::vector<State> roots(const Graph& subprogram) {
  const std::vector<NodeId> operators = operators_of(subprogram);
  const auto& outputs = subprogram.outputs();
  if (operators.size() == 1 && outputs == operators) return single(subprogram, operators[0]);
  if (operators.size() == 2 && outputs == std::vector{operators[1]}) {
    return in_a_row(subprogram, operators[0], operators[1]);
  }
  if (operators.size() > 2 && outputs == std::vector{operators.back()})
    return added_up(subprogram, operators);
  return side_by_side(subprogram, operators);
}

}  // namespace pet::mutation
