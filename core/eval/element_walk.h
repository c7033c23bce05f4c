// Single elements of a program, by the definition of its operators and nothing else, in any kind of
// numbers: exact ones where whole tensors of them would be too slow.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/graph.h"
#include "core/ir/read.h"
#include "core/util/result.h"

namespace pet {

// Numbers: a type Value; Value of(const Rational&); Value leaf(const Node&, Dim flat);
// void add(Value&, const Value&); void multiply(Value&, const Value&);
// Result<Value> apply(const Application&, span<const Value>).
template <class Numbers>
class ElementWalk {
 public:
  using Value = typename Numbers::Value;

  // REQUIRES: `graph` outlives this. `most_steps` bounds what one element may take: nothing is
  // remembered, so that a program of many paths takes a step for each.
  ElementWalk(const Graph& graph, Numbers numbers, std::uint64_t most_steps)
      : graph_(graph), numbers_(std::move(numbers)), most_steps_(most_steps) {}

  Numbers& numbers() { return numbers_; }

  // REQUIRES: the node's shape is known and flat lies in it.
  Result<Value> value(NodeId id, Dim flat) {
    steps_ = 0;
    depth_ = 0;
    return element(id, flat);
  }

 private:
  static constexpr int kDeepest = 1000;  // of the machine's own stack

  Result<Value> element(NodeId id, Dim flat) {
    const Node& node = graph_.node(id);
    if (node.op() == nullptr) return numbers_.leaf(node, flat);
    if (!graph_.has_meaning(id))
      return Error{"an opaque operator has no single elements", ErrorKind::Unsupported};
    if (++depth_ > kDeepest) return Error{"a program too deep to be evaluated by elements"};
    const Meaning& meaning = graph_.meaning(id);
    auto out = sum_at(id, meaning, point(meaning.sum.out, flat));
    --depth_;
    return out;
  }

  static std::vector<Dim> point(const Shape& shape, Dim flat) {
    std::vector<Dim> at(shape.size());
    for (std::size_t a = shape.size(); a-- > 0;) {
      at[a] = flat % shape[a];
      flat /= shape[a];
    }
    return at;
  }

  Result<Value> sum_at(NodeId id, const Meaning& meaning, std::vector<Dim> at) {
    const std::size_t rank = at.size();
    Value sum = numbers_.of(0);
    for (const Term& term : meaning.sum.terms) {
      at.resize(rank);
      at.resize(rank + term.reduce.size(), 0);
      if (count(term.reduce) == 0) continue;
      std::optional<Value> everywhere;  // the coefficient, where it is one number
      if (term.coef.tables.empty()) everywhere = numbers_.of(term.coef.scale);
      do {
        if (++steps_ > most_steps_) return Error{"an element takes too many steps"};
        auto product = product_at(id, meaning, term, everywhere, at);
        if (!product) return std::move(product).error();
        if (*product) numbers_.add(sum, **product);
      } while (next_point(at, rank, term.reduce));
    }
    return sum;
  }

  // Nothing where the term does not count.
  Result<std::optional<Value>> product_at(NodeId id, const Meaning& meaning, const Term& term,
                                          const std::optional<Value>& everywhere,
                                          const std::vector<Dim>& at) {
    const bool holds = std::all_of(term.guards.begin(), term.guards.end(),
                                   [&](const Guard& guard) { return guard.holds(at); });
    if (!holds) return std::optional<Value>{};
    Value product = everywhere ? *everywhere : numbers_.of(term.coef.at(at));
    for (const Access& access : term.factors) {
      auto factor = read(id, meaning, access, at);
      if (!factor) return std::move(factor).error();
      if (!*factor) return std::optional<Value>{};
      numbers_.multiply(product, **factor);
    }
    return std::optional<Value>(std::move(product));
  }

  // What an access reads; nothing outside of the tensor.
  Result<std::optional<Value>> read(NodeId id, const Meaning& meaning, const Access& access,
                                    const std::vector<Dim>& at) {
    const auto& operands = graph_.node(id).operands;
    const auto number = static_cast<std::size_t>(access.operand);
    const Application* application =
        number < operands.size() ? nullptr : &meaning.applications[number - operands.size()];
    const Shape& shape =
        application == nullptr ? *graph_.node(operands[number]).type.shape : application->out;
    const auto flat = position_read(access.index, shape, at);
    if (!flat) return std::optional<Value>{};
    auto value = application == nullptr ? element(operands[number], *flat)
                                        : applied(id, meaning, *application, point(shape, *flat));
    if (!value) return std::move(value).error();
    return std::optional<Value>(*std::move(value));
  }

  Result<Value> applied(NodeId id, const Meaning& meaning, const Application& application,
                        const std::vector<Dim>& at) {
    if (application.window)
      return Error{
          fmt::format("{} reads a window, which no single number is", application.function->name)};
    std::vector<Value> arguments;
    for (const Access& access : application.elements) {
      auto argument = read(id, meaning, access, at);
      if (!argument) return std::move(argument).error();
      arguments.push_back(*argument ? **std::move(argument) : numbers_.of(0));
    }
    return numbers_.apply(application, arguments);
  }

  static bool next_point(std::vector<Dim>& at, std::size_t first, const Shape& extents) {
    for (std::size_t a = at.size(); a-- > first;) {
      if (++at[a] < extents[a - first]) return true;
      at[a] = 0;
    }
    return false;
  }

  const Graph& graph_;
  Numbers numbers_;
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace pet
