// A tensor of several numbers an element: one lane a prime, or one a run on other inputs. The lanes
// lie one behind the other, each row-major.
#pragma once

#include "core/ir/shape.h"
#include "core/util/zeroed_array.h"

namespace pet {

template <class E>
class LaneTensor {
 public:
  Shape shape;

  LaneTensor() = default;
  // All zero.
  LaneTensor(Shape of, std::size_t lanes)
      : shape(std::move(of)),
        lanes_(lanes),
        size_(static_cast<std::size_t>(count(shape))),
        values_(lanes * size_) {}

  std::size_t lanes() const { return lanes_; }
  std::size_t size() const { return size_; }  // elements
  std::span<E> lane(std::size_t number) { return values().subspan(number * size_, size_); }
  std::span<const E> lane(std::size_t number) const {
    return values().subspan(number * size_, size_);
  }
  // Of all lanes.
  std::span<E> values() { return values_.values(); }
  std::span<const E> values() const { return values_.values(); }

 private:
  std::size_t lanes_ = 0;
  std::size_t size_ = 0;
  ZeroedArray<E> values_;
};

template <class E>
std::vector<Shape> shapes_of(std::span<const LaneTensor<E>* const> tensors) {
  std::vector<Shape> out;
  for (const auto* tensor : tensors) out.push_back(tensor->shape);
  return out;
}

}  // namespace pet
