#include "core/ir/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/util/check.h"

namespace pet {

std::optional<Dim> checked_volume(const Shape& extents, Dim limit) {
  bool empty = false;
  Dim product = 1;
  for (const Dim extent : extents) {
    if (extent < 0 || extent > limit) return std::nullopt;
    if (extent == 0) empty = true;
    if (extent > 0) {
      if (product > limit / extent) return std::nullopt;
      product *= extent;
    }
  }
  return empty ? 0 : product;
}

std::optional<Dim> checked_count(const Shape& shape) {
  return shape.size() > kMaxRank ? std::nullopt : checked_volume(shape, kMaxElements);
}

Dim count(const Shape& shape) {
  const auto n = checked_volume(shape, kMaxElements);
  PET_CHECK(n.has_value(), "shape " + to_string(shape) + " was never checked");
  return *n;
}

std::vector<Dim> row_major_strides(const Shape& shape) {
  std::vector<Dim> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {  // i counts from the innermost axis
    const Dim x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const Dim y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

Dim floor_div(Dim a, Dim b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
Dim floor_mod(Dim a, Dim b) { return a - floor_div(a, b) * b; }

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

}  // namespace pet
