// Along which axes of a tensor positions are alike: what a sum makes of inputs that are the same
// everywhere differs at borders alone, and need not be computed anywhere else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/term_plan.h"

namespace pet {

// By axis a class for each position: two elements that differ only in positions of one class are
// the same number. Classes are numbered by where they appear first.
class Alike {
 public:
  using Classes = std::vector<std::uint32_t>;

  Alike() = default;
  static Alike nowhere(const Shape& shape);
  static Alike everywhere(const Shape& shape);
  // One list for each axis; none where all positions differ.
  Alike(Shape shape, std::vector<Classes> classes);

  const Shape& shape() const { return shape_; }
  // How many classes each axis has.
  const Shape& classes() const { return extents_; }
  bool all_differ(std::size_t axis) const { return classes_[axis].empty(); }
  bool is_nowhere() const { return extents_ == shape_; }
  Dim class_of(std::size_t axis, Dim position) const {
    return all_differ(axis) ? position : classes_[axis][static_cast<std::size_t>(position)];
  }
  // The first position of each class.
  Positions firsts() const;

 private:
  Shape shape_;
  Shape extents_;
  std::vector<Classes> classes_;
};

// Where the results of a sum are alike, for operands that are. Found from index expressions and
// guards alone, so there may be more.
Alike alike_results(const IndexedSum& sum, std::span<const Alike* const> operands);
// The same of an element function applied everywhere.
Alike alike_results(const Application& application, std::span<const Alike* const> operands);

}  // namespace pet
