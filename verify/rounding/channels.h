// The channels of a tensor: what its second axis counts; a tensor without one is a single channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
  // Of each of so many elements, row-major.
  std::vector<std::uint32_t> of_elements(std::size_t count) const {
    std::vector<std::uint32_t> out;
    out.reserve(count);
    for (std::size_t channel = 0; out.size() < count; channel = (channel + 1) % number_)
      out.insert(out.end(), inside_, static_cast<std::uint32_t>(channel));
    return out;
  }

 private:
  std::size_t number_ = 1;
  std::size_t inside_ = 1;
};

}  // namespace pet
