// Tensors of several lanes from and to plain vectors.
#pragma once

#include <algorithm>
#include <vector>

#include "core/eval/lane_tensor.h"

namespace pet::test {

// REQUIRES: every lane has as many elements as the shape
template <class E>
LaneTensor<E> of_lanes(const Shape& shape, const std::vector<std::vector<E>>& lanes) {
  LaneTensor<E> out(shape, lanes.size());
  for (std::size_t k = 0; k < lanes.size(); ++k) std::ranges::copy(lanes[k], out.lane(k).begin());
  return out;
}

template <class E>
std::vector<E> lane_of(const LaneTensor<E>& tensor, std::size_t number) {
  const auto lane = tensor.lane(number);
  return {lane.begin(), lane.end()};
}

}  // namespace pet::test
