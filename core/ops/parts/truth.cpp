#include "core/ops/parts/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<DType> type_of_comparison(const Op& op, std::span<const DType> operands) {
  const bool is_ordered = are_numbers(operands[0]) && operands[0] != DType::Bool;
  if (operands[0] != operands[1] || !is_ordered) return not_defined_for_these(op);
  return DType::Bool;
}

Result<DType> type_of_logic(const Op& op, std::span<const DType> operands) {
  if (std::ranges::any_of(operands, [](DType dtype) { return dtype != DType::Bool; }))
    return not_defined_for_these(op);
  return DType::Bool;
}

}  // namespace

Real truth(bool said, std::span<const Real> elements) {
  for (const Real x : elements) {
    if (std::isnan(x)) return x;
  }
  return said ? 1 : 0;
}

Error not_defined_for_these(const Op& op) {
  return {fmt::format("{}: not defined for operands of these types", op.def->name),
          ErrorKind::Unsupported};
}

OpDef comparison(const char* name, const char* summary, int since,
                 Result<Meaning> (*lower)(const Op&, std::span<const Shape>),
                 std::optional<std::int64_t> (*on_integers)(std::span<const std::int64_t>)) {
  OpDef def{.name = name,
            .summary = summary,
            .arity = {2, 2},
            .attrs = {},
            .since = since,
            .lower = lower};
  def.element_type = type_of_comparison;
  def.on_integers = on_integers;
  return def;
}

const ElementFunction& larger_function() {
  static const ElementFunction function{
      .name = "larger",
      .totality = Totality::Total,
      .text = "x0 != x0 ? x0 : x1 != x1 ? x1 : x0 > x1 ? 1 : 0",
      .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
        return truth(x[0] > x[1], x);
      },
      .at_infinity = Finiteness::Finite,
      .jumps = Jumps::AtTies};
  return function;
}

const ElementFunction& not_smaller_function() {
  static const ElementFunction function{
      .name = "not_smaller",
      .totality = Totality::Total,
      .text = "x0 != x0 ? x0 : x1 != x1 ? x1 : x0 >= x1 ? 1 : 0",
      .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
        return truth(x[0] >= x[1], x);
      },
      .at_infinity = Finiteness::Finite,
      .jumps = Jumps::AtTies};
  return function;
}

Result<Meaning> pointwise_reversed(const ElementFunction& function, std::span<const Shape> in) {
  auto meaning = pointwise(function, {}, in);
  if (meaning) std::ranges::reverse(meaning->applications.front().elements);
  return meaning;
}

OpDef logic(const char* name, const char* summary, std::size_t operands,
            Result<Meaning> (*lower)(const Op&, std::span<const Shape>),
            std::optional<std::int64_t> (*on_integers)(std::span<const std::int64_t>)) {
  OpDef def{
      .name = name, .summary = summary, .arity = {operands, operands}, .attrs = {}, .lower = lower};
  def.element_type = type_of_logic;
  def.on_integers = on_integers;
  return def;
}

}  // namespace pet::ops
