// Div: a · (1/b), broadcast, with the same 1/b as Reciprocal, or that number itself where b is one.
// On integers the quotient loses its fraction.
#include <limits>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_div(const Op&, std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  enum { a, b, inverse };
  Term quotient{
      .coef = {},
      .reduce = {},
      .guards = {},
      .factors = {{a, broadcast_index(in[0], *out)}, {inverse, broadcast_index(in[1], *out)}}};
  return Meaning{{applied_to(reciprocal_function(), {}, b, in[1])},
                 {*std::move(out), {std::move(quotient)}}};
}

// What is far from 1 stays a function: by it results leave the floats, and the reciprocal of a
// float of that range is a quotient of integers of 63 bits, in which weight programs are checked.
bool is_ordinary(const Rational& divisor) {
  const Rational size = abs(divisor);
  return size >= exact(0x1p-39) && size <= exact(0x1p39);
}

Result<Meaning> lower_div_by_numbers(const Op& op, std::span<const Shape> in,
                                     const KnownNumbers& numbers) {
  if (!numbers[1] || !is_ordinary(*numbers[1])) return lower_div(op, in);
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  Term scaled{.coef = {.scale = 1 / *numbers[1], .tables = {}},
              .reduce = {},
              .guards = {},
              .factors = {{0, broadcast_index(in[0], *out)}}};
  return Meaning{{}, {*std::move(out), {std::move(scaled)}}};
}

std::optional<std::int64_t> truncated(std::span<const std::int64_t> x) {
  const bool overflows = x[0] == std::numeric_limits<std::int64_t>::min() && x[1] == -1;
  if (x[1] == 0 || overflows) return std::nullopt;
  return x[0] / x[1];
}

}  // namespace

const OpDef& div() {
  static const OpDef def{.name = "Div",
                         .summary = "quotient of two operands, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_div,
                         .by_numbers = ByNumbers{{1}, lower_div_by_numbers},
                         .on_integers = truncated};
  return def;
}

}  // namespace pet::ops
