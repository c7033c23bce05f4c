// How large each element of a tensor is.
#pragma once

#include <optional>

#include "core/eval/lane_tensor.h"

namespace pet {

// One number where all elements have the same size, as most have: inputs all count alike.
class Sizes {
 public:
  Sizes() = default;
  Sizes(Shape shape, double everywhere);
  // One lane.
  explicit Sizes(LaneTensor<double> of_elements);
  // Of a tensor that nobody reads.
  static Sizes unread(Shape shape);

  const Shape& shape() const { return of_elements_.shape; }
  // Nothing where they differ, or where there is none.
  std::optional<double> everywhere() const { return everywhere_; }
  // Written out the first time that somebody asks.
  const LaneTensor<double>& of_elements() const;

 private:
  std::optional<double> everywhere_;
  mutable LaneTensor<double> of_elements_;  // its shape alone where they are not written out
};

// What an evaluator reads.
std::vector<const LaneTensor<double>*> written_out(const std::vector<const Sizes*>& operands);

}  // namespace pet
