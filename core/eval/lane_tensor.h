// A tensor of several numbers an element: one lane a prime, or one a run on other inputs. The lanes
// lie one behind the other, each row-major; those that are alike may be held once.
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
        stride_(size_),
        values_(lanes * size_) {}

  // All zero; every lane is the same one.
  static LaneTensor alike(Shape of, std::size_t lanes) {
    LaneTensor out(std::move(of), 1);
    out.lanes_ = lanes;
    out.stride_ = 0;
    return out;
  }

  std::size_t lanes() const { return lanes_; }
  std::size_t size() const { return size_; }  // elements
  bool are_alike() const { return stride_ == 0; }
  std::span<E> lane(std::size_t number) { return values().subspan(number * stride_, size_); }
  std::span<const E> lane(std::size_t number) const {
    return values().subspan(number * stride_, size_);
  }
  // Of all lanes, or of the one that they all are.
  std::span<E> values() { return values_.values(); }
  std::span<const E> values() const { return values_.values(); }

 private:
  std::size_t lanes_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;  // from lane to lane
  ZeroedArray<E> values_;
};

template <class E>
std::vector<Shape> shapes_of(std::span<const LaneTensor<E>* const> tensors) {
  std::vector<Shape> out;
  for (const auto* tensor : tensors) out.push_back(tensor->shape);
  return out;
}

}  // namespace pet
