#include "core/ops/parts/rearranged.h"

#include <algorithm>

#include "core/util/check.h"

namespace pet::ops {

Dim new_place(Dim axis, std::span<const std::size_t> order) {
  const auto rank = static_cast<Dim>(order.size());
  const auto old = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  const auto it = std::find(order.begin(), order.end(), old);
  PET_CHECK(it != order.end(), "the order holds every axis");
  return it - order.begin();
}

Ints new_places(const Ints& axes, std::span<const std::size_t> order) {
  Ints out;
  for (const Dim axis : axes) out.push_back(new_place(axis, order));
  return out;
}

}  // namespace pet::ops
