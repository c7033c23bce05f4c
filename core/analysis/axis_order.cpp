#include "core/analysis/axis_order.h"

#include <algorithm>
#include <numeric>

namespace pet {

AxisOrder identity_order(std::size_t rank) {
  AxisOrder order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

bool is_identity(const AxisOrder& order) { return std::is_sorted(order.begin(), order.end()); }

AxisOrder composed(const AxisOrder& first, const AxisOrder& then) {
  AxisOrder out;
  for (const std::size_t axis : then) out.push_back(first[axis]);
  return out;
}

AxisOrder inverse(const AxisOrder& order) {
  AxisOrder out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

Shape reordered(const Shape& shape, const AxisOrder& order) {
  Shape out;
  for (const std::size_t axis : order) out.push_back(shape[axis]);
  return out;
}

bool moves_nothing(const Shape& shape, const AxisOrder& order) {
  AxisOrder longer;
  std::copy_if(order.begin(), order.end(), std::back_inserter(longer),
               [&](std::size_t axis) { return shape[axis] != 1; });
  return std::is_sorted(longer.begin(), longer.end());
}

AxisOrder canonical_order(const Shape& shape, const AxisOrder& order) {
  AxisOrder out = identity_order(order.size());
  std::size_t place = 0;
  for (const std::size_t axis : order) {
    if (shape[axis] == 1) continue;
    while (shape[place] == 1) ++place;
    out[place++] = axis;
  }
  return out;
}

}  // namespace pet
