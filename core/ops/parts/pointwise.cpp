#include "core/ops/parts/pointwise.h"

#include <fmt/format.h>

#include <cmath>

namespace pet::ops {

Result<Shape> broadcast_all(std::span<const Shape> operands) {
  Shape out;
  for (const Shape& shape : operands) {
    const auto both = broadcast(out, shape);
    if (!both)
      return Error{
          fmt::format("shapes {} and {} do not broadcast", to_string(out), to_string(shape))};
    out = *both;
  }
  return out;
}

Result<Meaning> pointwise(const ElementFunction& function, std::vector<double> parameters,
                          std::span<const Shape> operands) {
  auto out = broadcast_all(operands);
  if (!out) return std::move(out).error();
  Application application{&function, std::move(parameters), *out, {}, std::nullopt};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    application.elements.push_back({static_cast<int>(i), broadcast_index(operands[i], *out)});
  }
  return Meaning{{std::move(application)}, read_in_place(static_cast<int>(operands.size()), *out)};
}

Result<Meaning> sum_of_operands(std::span<const Shape> operands, const Rational& factor) {
  auto out = broadcast_all(operands);
  if (!out) return std::move(out).error();
  IndexedSum sum{*std::move(out), {}};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Access read{static_cast<int>(i), broadcast_index(operands[i], sum.out)};
    sum.terms.push_back({.coef = {.scale = factor, .tables = {}},
                         .reduce = {},
                         .guards = {},
                         .factors = {std::move(read)}});
  }
  return Meaning{{}, std::move(sum)};
}

Application applied_to(const ElementFunction& function, std::vector<double> parameters, int operand,
                       const Shape& shape) {
  return {
      &function, std::move(parameters), shape, {{operand, identity_index(shape)}}, std::nullopt};
}

const ElementFunction& reciprocal_function() {
  static const ElementFunction function{
      .name = "reciprocal",
      .totality = Totality::Partial,
      .text = "1 / x0",
      .value = [](std::span<const double>, const RowState&,
                  std::span<const Real> x) { return 1 / x[0]; },
      .enclose = [](std::span<const double>, std::span<const Interval> x,
                    unsigned) { return pet::reciprocal(x[0]); }};
  return function;
}

const ElementFunction& square_root_function() {
  static const ElementFunction function{
      .name = "sqrt",
      .totality = Totality::Partial,
      .text = "sqrtf(x0)",
      .value = [](std::span<const double>, const RowState&,
                  std::span<const Real> x) { return std::sqrt(x[0]); },
      .enclose = [](std::span<const double>, std::span<const Interval> x,
                    unsigned bits) { return square_root(x[0], bits); }};
  return function;
}

const ElementFunction& absolute_function() {
  static const ElementFunction function = function_of<[](Real x) { return std::abs(x); }>(
      "abs", "fabsf(x0)", Totality::Total, Finiteness::MaybeInfinite);
  return function;
}

const ElementFunction& sigmoid_function() {
  static const ElementFunction function =
      function_of<[](Real x) { return 1 / (1 + std::exp(-x)); }>(
          "sigmoid", "1 / (1 + expf(-x0))", Totality::Total, Finiteness::Finite);
  return function;
}

// Without an exponential that overflows.
const ElementFunction& softplus_function() {
  static const ElementFunction function = function_of<[](Real x) {
    return 0 < x ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  }>("softplus", "0 < x0 ? x0 + log1pf(expf(-x0)) : log1pf(expf(x0))", Totality::Total,
     Finiteness::MaybeInfinite);
  return function;
}

const ElementFunction& tanh_function() {
  static const ElementFunction function = function_of<[](Real x) { return std::tanh(x); }>(
      "tanh", "tanhf(x0)", Totality::Total, Finiteness::Finite);
  return function;
}

IndexedSum product_in_place(std::initializer_list<int> operands, const Shape& shape) {
  Term product;
  for (const int operand : operands) product.factors.push_back({operand, identity_index(shape)});
  return {shape, {std::move(product)}};
}

}  // namespace pet::ops
