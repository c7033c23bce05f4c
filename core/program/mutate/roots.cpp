#include "core/program/mutate/roots.h"

#include <algorithm>
#include <numeric>

#include "core/program/mutate/compose.h"
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
    if (auto product = read_product(graph, node, i)) out.push_back(state_of(*product));
  }
  if (!out.empty()) return out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (graph.node(operands[i]).constant() != nullptr) continue;
    if (auto state = fixed_state(graph, node, i)) out.push_back(*std::move(state));
  }
  return out;
}

// ---- operators side by side

bool are_alike(const std::vector<Product>& products) {
  return std::all_of(products.begin() + 1, products.end(), [&](const Product& product) {
    return product.same_but_features(products.front());
  });
}

// Whether features of several products can stand one after another, or in groups.
bool have_features(const Product& product, const State& state) {
  return state.feature_digit >= 0 &&
         (!product.bias || state.bias_dims == DigitDims{{state.feature_digit}});
}

State merged(const std::vector<Product>& products, Merging how) {
  State s = state_of(products.front());
  s.merged = how;
  s.parts.clear();
  Dim divisor = 0;
  Dim most = 0;
  Dim sum = 0;
  for (const Product& product : products) {
    s.parts.push_back(state_of(product).parts.front());
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
  group.role = AxisRole::Group;
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
std::vector<Product> joinable_products(const Graph& graph, const std::vector<NodeId>& operators) {
  std::vector<Product> products;
  for (const NodeId id : operators) {
    if (!reads_leaves(graph, id)) return {};
    auto product = read_product(graph, id);
    if (!product) return {};
    products.push_back(*std::move(product));
  }
  if (products.size() < 2 || !are_alike(products) || products.front().has(AxisRole::Group))
    return {};
  return products;
}

bool of_same_data(const std::vector<Product>& products) {
  return std::all_of(products.begin(), products.end(),
                     [&](const Product& product) { return product.data == products.front().data; });
}

std::vector<State> side_by_side(const Graph& graph, const std::vector<NodeId>& operators) {
  if (graph.outputs() != operators) return {};
  const std::vector<Product> products = joinable_products(graph, operators);
  if (products.empty()) return {};
  const State first = state_of(products.front());
  if (!have_features(products.front(), first)) return {};
  std::vector<State> out;
  if (of_same_data(products)) out.push_back(merged(products, Merging::Features));
  if (first.channel_digit < 0) return out;
  out.push_back(merged(products, Merging::Groups));
  State divided = merged(products, Merging::CommonDivisor);
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
  const std::vector<Product> products = joinable_products(graph, addition.addends);
  if (products.empty()) return {};
  State s = state_of(products.front());
  s.parts.clear();
  for (const Product& product : products) s.parts.push_back(state_of(product).parts.front());
  std::vector<State> out;
  if (of_same_data(products)) {
    out.push_back(s);
    out.back().merged = Merging::Sum;
    out.back().moves.emplace_back(move::Merge{Merging::Sum});
  }
  const auto channel = std::find_if(s.axes.begin(), s.axes.end(), [](const OpAxis& axis) {
    return axis.role == AxisRole::Channel;
  });
  s.merged = Merging::Channels;
  s.part_digit = s.digit(static_cast<Dim>(products.size()));
  OpAxis part;
  part.role = AxisRole::Channel;
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
    const auto outer = read_product(graph, second, i);
    if (!outer || graph.node(outer->weight).op() != nullptr) continue;
    for (std::size_t j = 0; j < graph.node(first).operands.size(); ++j) {
      if (graph.node(graph.node(first).operands[j]).constant() != nullptr) continue;
      const auto inner = read_product(graph, first, j);
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
