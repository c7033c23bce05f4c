#include "gpu/kernel/index.h"

#include <algorithm>

namespace pet::gpu {
namespace {

using Part = IndexExpr::Part;

IndexExpr base_of(const Part& part) { return part.axis >= 0 ? v(part.axis) : *part.inner; }

bool same_base(const Part& a, const Part& b) {
  if (a.axis != b.axis) return false;
  return a.axis >= 0 || *a.inner == *b.inner;
}

IndexExpr expression_of(const Part& part) {
  IndexExpr e = div(base_of(part), part.divisor);
  if (part.modulus != 0) e = mod(e, part.modulus);
  return e * part.coefficient;
}

// A remainder that is none, a quotient that is 0.
IndexExpr within_bounds(const Part& part, std::span<const Dim> extents) {
  const IndexExpr base = part.axis >= 0 ? v(part.axis) : simplified(*part.inner, extents);
  IndexExpr quotient = div(base, part.divisor);
  auto [low, high] = quotient.bounds(extents);
  if (low == high) quotient = IndexExpr(low);
  if (part.modulus != 0 && (low < 0 || high >= part.modulus))
    quotient = mod(quotient, part.modulus);
  return quotient * part.coefficient;
}

// c·((b div d) mod m) + c·m·((b div d·m) mod n) is c·((b div d) mod m·n).
bool join(Part& low, const Part& high) {
  if (low.modulus == 0 || !same_base(low, high)) return false;
  if (high.divisor != low.divisor * low.modulus) return false;
  if (high.coefficient != low.coefficient * low.modulus) return false;
  low.modulus = high.modulus == 0 ? 0 : low.modulus * high.modulus;
  return true;
}

bool join_any(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (i == j || !join(parts[i], parts[j])) continue;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

}  // namespace

IndexExpr simplified(const IndexExpr& e, std::span<const Dim> extents) {
  IndexExpr bounded(e.constant());
  for (const Part& part : e.parts())
    bounded += part.is_plain_axis() && extents[static_cast<std::size_t>(part.axis)] != 1
                   ? expression_of(part)
                   : within_bounds(part, extents);
  std::vector<Part> parts = bounded.parts();
  bool changed = false;
  while (join_any(parts)) changed = true;
  if (!changed) return bounded;
  IndexExpr joined(bounded.constant());
  for (const Part& part : parts) joined += expression_of(part);
  return simplified(joined, extents);  // of fewer parts
}

IndexExpr offset_of(std::span<const IndexExpr> index, const Shape& shape,
                    std::span<const Dim> extents) {
  const auto strides = row_major_strides(shape);
  IndexExpr sum;
  for (std::size_t d = 0; d < shape.size(); ++d) sum += index[d] * strides[d];
  return simplified(sum, extents);
}

std::vector<Guard> guards_inside(std::span<const IndexExpr> index, const Shape& shape,
                                 std::span<const Dim> extents) {
  std::vector<Guard> out;
  for (std::size_t d = 0; d < shape.size(); ++d)
    out.push_back({.expr = simplified(index[d], extents), .low = 0, .high = shape[d]});
  return needed_guards(out, extents);
}

std::vector<Guard> needed_guards(std::span<const Guard> guards, std::span<const Dim> extents) {
  std::vector<Guard> out;
  for (const Guard& guard : guards) {
    const auto [low, high] = guard.expr.bounds(extents);
    if (guard.multiple_of != 0 || low < guard.low || high >= guard.high) out.push_back(guard);
  }
  return out;
}

bool is_position(const IndexExpr& e, const Shape& extents) {
  const auto strides = row_major_strides(extents);
  IndexExpr position;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] != 1) position += v(i) * strides[i];
  }
  return (e - position) == IndexExpr(0);
}

bool is_in_place(std::span<const IndexExpr> index, const Shape& shape) {
  return index.size() == shape.size() && is_position(offset_of(index, shape, shape), shape);
}

}  // namespace pet::gpu
