// Constants of a program, in few words: given floats, or drawn ones.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/ir/builder.h"
#include "core/util/rng.h"

namespace pet::test {

inline std::shared_ptr<const Tensor> float_constant(Shape shape, std::vector<float> values) {
  return std::make_shared<const Tensor>(Tensor::of_floats(std::move(shape), std::move(values)));
}

// So many values of `draw()`.
template <typename Draw>
std::vector<float> drawn_floats(std::size_t number, Draw draw) {
  std::vector<float> values(number);
  for (float& x : values) x = static_cast<float>(draw());
  return values;
}

template <typename Draw>
std::shared_ptr<const Tensor> drawn_constant(const Shape& shape, Draw draw) {
  return float_constant(shape, drawn_floats(static_cast<std::size_t>(count(shape)), draw));
}

inline std::vector<float> normal_floats(std::size_t number, Rng& rng) {
  return drawn_floats(number, [&] { return rng.normal(); });
}

inline std::shared_ptr<const Tensor> normal_constant(const Shape& shape, Rng& rng) {
  return drawn_constant(shape, [&] { return rng.normal(); });
}

inline NodeId normal_weight(GraphBuilder& b, const Shape& shape, Rng& rng) {
  return b.add_constant(normal_constant(shape, rng));
}

}  // namespace pet::test
