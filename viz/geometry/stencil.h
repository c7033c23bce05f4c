// The taps of a sum as a small grid: those that a box has are filled, those it leaves out crossed.
#pragma once

#include "viz/geometry/scene.h"
#include "viz/geometry/summation.h"

namespace pet::viz {

inline constexpr double kTap = 9;  // the side of one

// Of up to three axes; of three the first goes across in blocks. The sum outlives it.
class Stencil {
 public:
  explicit Stencil(const Sum& sum);

  bool is_drawn() const { return is_drawn_; }  // false: it has too many taps, or none
  double width() const;
  double height() const { return static_cast<double>(axes_[1].size()) * kTap; }
  void draw(Scene& scene, const SumInBox& here, double left, double top) const;

 private:
  Rect place_of(const Tap& tap, double left, double top) const;

  const Sum& sum_;
  std::vector<std::vector<Interval>> axes_;  // blocks, rows, columns
  bool is_drawn_ = false;
};

}  // namespace pet::viz
