// A program of constants and inputs by the definition of its operators, in any kind of numbers:
// shares nothing with the evaluators that it judges.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"
#include "tests/support/exact.h"

namespace pet::fuzz {

template <class N>
struct Arithmetic {
  std::function<N(const Rational&)> number;
  std::function<std::vector<N>(const Node&)> leaf;  // the elements of a constant or an input
  // Nothing: undefined there, or a function without a value of this kind.
  std::function<std::optional<N>(const Application&, const std::vector<N>&)> apply;
  std::function<void(N&)> settle = [](N&) {};  // as a result is stored
};

template <class N>
std::optional<test::Numbers<N>> applied(const Application& application,
                                        const std::vector<test::Numbers<N>>& known,
                                        const Arithmetic<N>& arithmetic) {
  test::Numbers<N> out{application.out, {}};
  bool defined = !application.window;
  test::for_each_position({}, application.out, [&](std::span<const Dim> at) {
    std::vector<N> arguments;
    for (const Access& access : application.elements) {
      const N* x = known[static_cast<std::size_t>(access.operand)].at(access.index, at);
      arguments.push_back(x == nullptr ? arithmetic.number(0) : *x);
    }
    auto value = defined ? arithmetic.apply(application, arguments) : std::nullopt;
    defined = value.has_value();
    if (defined) out.data.push_back(*std::move(value));
  });
  if (!defined) return std::nullopt;
  return out;
}

// Of all nodes that `wanted` needs, by node. Nothing where one of them has no value.
template <class N>
std::optional<std::vector<test::Numbers<N>>> values_of(const Graph& graph,
                                                       const std::vector<NodeId>& wanted,
                                                       const Arithmetic<N>& arithmetic) {
  std::vector<char> needed(graph.nodes().size(), 0);
  for (const NodeId id : wanted) needed[id.index()] = 1;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i] == 0) continue;
    for (const NodeId operand : graph.node(NodeId(i)).operands) needed[operand.index()] = 1;
  }
  std::vector<test::Numbers<N>> values(needed.size());
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    test::Numbers<N>& value = values[id.index()];
    if (node.op() == nullptr) {
      value = {*node.type.shape, arithmetic.leaf(node)};
      continue;
    }
    if (!graph.has_meaning(id)) return std::nullopt;
    const Meaning& meaning = graph.meaning(id);
    std::vector<test::Numbers<N>> known;
    for (const NodeId operand : node.operands) known.push_back(values[operand.index()]);
    for (const Application& application : meaning.applications) {
      auto result = applied(application, known, arithmetic);
      if (!result) return std::nullopt;
      known.push_back(*std::move(result));
    }
    value = test::evaluate_exactly<N>(meaning.sum, known, arithmetic.number);
    for (N& x : value.data) arithmetic.settle(x);
  }
  return values;
}

}  // namespace pet::fuzz
