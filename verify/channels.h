// The channels of a tensor: what its second axis counts; a tensor without one is a single channel.
#pragma once

#include <cstddef>

#include "core/ir/shape.h"

namespace pet {

class Channels {
 public:
  explicit Channels(const Shape& shape) {
    if (shape.size() >= 2) number_ = static_cast<std::size_t>(shape[1]);
    for (std::size_t a = 2; a < shape.size(); ++a) inside_ *= static_cast<std::size_t>(shape[a]);
    if (shape.size() < 2) inside_ = static_cast<std::size_t>(count(shape));
  }
  std::size_t number() const { return number_; }
  // Of the element at that place, row-major.
  std::size_t of(std::size_t element) const { return element / inside_ % number_; }

 private:
  std::size_t number_ = 1;
  std::size_t inside_ = 1;
};

}  // namespace pet
