// Pow: x^y, broadcast. Undefined for negative x under a fractional y and for 0 under a negative
// one. A small whole number of times x is multiplied by itself, and powers that have an operator of
// their own are what that is.
#include <cmath>
#include <initializer_list>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kPow{
    .name = "pow",
    .totality = Totality::Partial,
    .text = "x0 != x0 ? x0 : powf(x0, x1)",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      if (std::isnan(x[0])) return x[0];  // also to the power of 0
      return std::pow(x[0], x[1]);
    }};

Result<Meaning> lower_pow(const Op&, std::span<const Shape> in) { return pointwise(kPow, {}, in); }

// Where it is written out as a product, which takes as many factors.
constexpr int kMostFactors = 4;

// One function of x after the other, broadcast as x^y is.
Result<Meaning> of_base(std::initializer_list<const ElementFunction*> functions,
                        std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  Meaning meaning;
  int value = 0;  // what was made of x so far
  std::vector<IndexExpr> index = broadcast_index(in[0], *out);
  for (const ElementFunction* function : functions) {
    meaning.applications.push_back({function, {}, *out, {{value, std::move(index)}}, std::nullopt});
    value = static_cast<int>(in.size() + meaning.applications.size()) - 1;
    index = identity_index(*out);
  }
  meaning.sum = read_in_place(value, *out);
  return meaning;
}

Result<Meaning> lower_pow_by_numbers(const Op& op, std::span<const Shape> in,
                                     const KnownNumbers& numbers) {
  if (!numbers[1]) return lower_pow(op, in);
  const Rational& power = *numbers[1];
  if (power == -1) return of_base({&reciprocal_function()}, in);
  if (power == ratio(1, 2)) return of_base({&square_root_function()}, in);
  if (power == ratio(-1, 2)) return of_base({&square_root_function(), &reciprocal_function()}, in);
  if (power < 1 || power > kMostFactors || power.get_den() != 1) return lower_pow(op, in);
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  Term product;
  product.factors.assign(power.get_num().get_ui(), {0, broadcast_index(in[0], *out)});
  return Meaning{{}, {*std::move(out), {std::move(product)}}};
}

}  // namespace

const OpDef& pow() {
  static const OpDef def{.name = "Pow",
                         .summary = "first operand to the power of the second, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_pow,
                         .by_numbers = ByNumbers{{1}, lower_pow_by_numbers}};
  return def;
}

}  // namespace pet::ops
