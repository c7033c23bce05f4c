#include "gpu/lower/epilogue.h"

#include <algorithm>

#include "gpu/kernel/index.h"
#include "gpu/lower/product_forms.h"

namespace pet::gpu {
namespace {

constexpr std::string_view kRectifier = "x0 < 0 ? 0 : x0";

bool is_read_in_place(const Access& access, const Shape& out) {
  return is_in_place(access.index, out);
}

bool is_addend(const Term& term) {
  return term.reduce.empty() && term.guards.empty() && term.coef.tables.empty() &&
         term.coef.scale == 1 && term.factors.size() == 1;
}

bool is_rectifier(const Meaning& meaning) {
  if (meaning.applications.size() != 1 || meaning.applications[0].window) return false;
  const Application& one = meaning.applications[0];
  const Shape& out = meaning.sum.out;
  return one.function->text == kRectifier && one.out == out && one.elements.size() == 1 &&
         is_read_in_place(one.elements[0], out) && meaning.sum.terms.size() == 1 &&
         is_addend(meaning.sum.terms[0]) && meaning.sum.terms[0].factors[0].operand == 1 &&
         is_read_in_place(meaning.sum.terms[0].factors[0], out);
}

// value + other: where the other is read.
const Access* other_addend(const Meaning& meaning, const std::vector<NodeId>& operands,
                           NodeId value) {
  const auto& terms = meaning.sum.terms;
  if (!meaning.applications.empty() || terms.size() != 2 || operands.size() != 2) return nullptr;
  if (!std::ranges::all_of(terms, is_addend)) return nullptr;
  for (const std::size_t i : {0U, 1U}) {
    const Access& read = terms[i].factors[0];
    const Access& other = terms[1 - i].factors[0];
    if (operands[static_cast<std::size_t>(read.operand)] == value &&
        operands[static_cast<std::size_t>(other.operand)] != value &&
        is_read_in_place(read, meaning.sum.out))
      return &other;
  }
  return nullptr;
}

std::optional<EpilogueStep> step_of(const Graph& graph, const Product& product, NodeId before,
                                    NodeId node) {
  const Shape& shape = *graph.node(product.node).type.shape;
  if (!graph.has_meaning(node) || *graph.node(node).type.shape != shape) return std::nullopt;
  const Meaning& meaning = graph.meaning(node);
  using Kind = EpilogueStep::Kind;
  if (is_rectifier(meaning)) return EpilogueStep{Kind::Relu, node, std::nullopt};
  const auto& operands = graph.node(node).operands;
  const Access* other = other_addend(meaning, operands, before);
  if (other == nullptr) return std::nullopt;
  const NodeId operand = operands[static_cast<std::size_t>(other->operand)];
  const Shape& its = *graph.node(operand).type.shape;
  if (its == shape && is_read_in_place(*other, shape))
    return EpilogueStep{Kind::Residual, node, operand};
  const auto features = feature_dimension(product);
  if (features && count(its) == shape[*features] &&
      offset_of(other->index, its, shape) == simplified(v(*features), shape))
    return EpilogueStep{Kind::Bias, node, operand};
  return std::nullopt;
}

}  // namespace

std::vector<EpilogueStep> steps_behind(const Graph& graph, const Product& product,
                                       const std::vector<std::vector<NodeId>>& readers,
                                       const std::vector<char>& taken) {
  std::vector<EpilogueStep> out;
  NodeId last = product.node;
  while (out.empty() || out.back().kind != EpilogueStep::Kind::Relu) {
    if (readers[last.index()].size() != 1) break;
    const auto step = step_of(graph, product, last, readers[last.index()].front());
    const bool has_bias = step && step->kind == EpilogueStep::Kind::Bias && product.bias;
    if (!step || taken[step->node.index()] != 0 || has_bias ||
        std::ranges::find(out, step->kind, &EpilogueStep::kind) != out.end())
      break;
    out.push_back(*step);
    last = step->node;
  }
  return out;
}

}  // namespace pet::gpu
