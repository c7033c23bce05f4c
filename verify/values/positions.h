// Every position of a shape, one after the other.
#pragma once

#include <algorithm>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/result.h"

namespace pet {

// Calls visit() with `axes` set to its first `prefix` numbers and a position behind them, for every
// position of `shape` row by row, until it is not ok.
template <class Visit>
Status for_each_position(const Shape& shape, std::vector<Dim>& axes, std::size_t prefix,
                         Visit&& visit) {
  axes.resize(prefix + shape.size());
  std::fill(axes.begin() + static_cast<std::ptrdiff_t>(prefix), axes.end(), Dim{0});
  if (count(shape) == 0) return Done{};
  for (;;) {
    if (auto status = visit(); !status) return status;
    std::size_t a = shape.size();
    while (a > 0 && ++axes[prefix + a - 1] == shape[a - 1]) axes[prefix + --a] = 0;
    if (a == 0) return Done{};
  }
}

}  // namespace pet
