#include "core/program/mutate/matrix_nodes.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/views.h"

namespace pet::mutation {
namespace {

constexpr long kLargestDivisor = 1000;

// The odd part of the smallest number that makes all elements binary fractions.
mpz_class odd_denominator(const Matrix& matrix) {
  mpz_class out = 1;
  for (const Rational& x : matrix.values) out = lcm(out, x.get_den());
  while (out % 2 == 0) out /= 2;
  return out;
}

// x / divisor: the mean of x and zeros.
Result<NodeId> divided(GraphBuilder& b, NodeId x, Dim divisor) {
  const Shape shape = *b.type(x).shape;
  Shape longer = shape;
  longer.push_back(1);
  auto parted = views::reshape(b, x, longer);
  if (!parted) return parted;
  auto padded = views::pad(b, *parted, shape.size(), 0, divisor - 1);
  if (!padded) return padded;
  return b.add(ops::reduce_mean(),
               Attrs{{"axes", Ints{static_cast<Dim>(shape.size())}}, {"keepdims", Dim{0}}},
               {*padded});
}

Matrix kronecker(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows * b.rows, a.columns * b.columns);
  for (std::size_t i = 0; i < out.rows; ++i) {
    for (std::size_t j = 0; j < out.columns; ++j)
      out.at(i, j) = a.at(i / b.rows, j / b.columns) * b.at(i % b.rows, j % b.columns);
  }
  return out;
}

bool is_identity(const Matrix& m) {
  if (m.rows != m.columns) return false;
  for (std::size_t r = 0; r < m.rows; ++r) {
    for (std::size_t c = 0; c < m.columns; ++c) {
      if (m.at(r, c) != (r == c ? 1 : 0)) return false;
    }
  }
  return true;
}

}  // namespace

Result<NodeId> float_tensor_node(GraphBuilder& b, Shape shape, std::span<const Rational> values) {
  std::vector<float> floats;
  floats.reserve(values.size());
  for (const Rational& x : values) {
    const auto nearest = static_cast<float>(to_double(x));
    if (exact(static_cast<double>(nearest)) != x) return Error{to_string(x) + " is no float"};
    floats.push_back(nearest);
  }
  return b.add_constant(
      std::make_shared<const Tensor>(Tensor::of_floats(std::move(shape), std::move(floats))));
}

Result<NodeId> float_matrix(GraphBuilder& b, const Matrix& matrix) {
  return float_tensor_node(b, {static_cast<Dim>(matrix.rows), static_cast<Dim>(matrix.columns)},
                           matrix.values);
}

Result<NodeId> rational_matrix(GraphBuilder& b, const Matrix& matrix) {
  mpz_class left = odd_denominator(matrix);
  Matrix multiples = matrix;
  for (Rational& x : multiples.values) x *= left;
  auto out = float_matrix(b, multiples);
  for (long prime = 3; out && left != 1; prime += 2) {
    if (prime > kLargestDivisor) return Error{"a denominator with a large prime factor"};
    for (; out && left % prime == 0; left /= prime) out = divided(b, *out, prime);
  }
  return out;
}

Result<NodeId> combined_taps(GraphBuilder& b, NodeId weight,
                             std::span<const TapCombination> combinations) {
  if (combinations.empty()) return weight;
  const Shape shape = *b.type(weight).shape;
  std::vector<std::size_t> order;
  Shape result;
  Matrix all(1, 1);
  all.at(0, 0) = 1;
  for (const TapCombination& c : combinations) {
    order.push_back(c.axis);
    result.push_back(static_cast<Dim>(c.matrix.rows));
    all = kronecker(all, c.matrix);
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (std::find(order.begin(), order.end(), i) != order.end()) continue;
    order.push_back(i);
    result.push_back(shape[i]);
  }
  auto turned = views::transpose(b, weight, order);
  if (!turned || is_identity(all)) return turned;
  const auto taps = static_cast<Dim>(all.columns);
  auto flat = views::reshape(b, *turned, {taps, count(shape) / taps});
  if (!flat) return flat;
  auto factors = rational_matrix(b, all);
  if (!factors) return factors;
  auto product = b.add(ops::mat_mul(), {}, {*factors, *flat});
  if (!product) return product;
  return views::reshape(b, *product, result);
}

}  // namespace pet::mutation
