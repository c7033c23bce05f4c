#include "viz/geometry/stencil.h"

#include <algorithm>
#include <array>

namespace pet::viz {
namespace {

constexpr std::size_t kMostTapsDrawn = 9;  // along an axis

// The intervals of a tap's axis, each once.
std::vector<Interval> along(const Sum& sum, std::size_t axis) {
  std::vector<Interval> out;
  for (const Tap& tap : sum.taps)
    if (std::ranges::find(out, tap[axis]) == out.end()) out.push_back(tap[axis]);
  std::ranges::sort(out, {}, &Interval::low);
  return out;
}

}  // namespace

Stencil::Stencil(const Sum& sum) : sum_(sum) {
  const std::size_t axes = sum.tap_axes.size();
  for (std::size_t axis = 0; axis < axes; ++axis) axes_.push_back(along(sum, axis));
  is_drawn_ = axes >= 1 && axes <= 3 && std::ranges::all_of(axes_, [](const auto& of_axis) {
                return of_axis.size() <= kMostTapsDrawn;
              });
  while (axes_.size() < 3) axes_.insert(axes_.begin(), std::vector<Interval>(1));
}

double Stencil::width() const {
  const auto blocks = static_cast<double>(axes_[0].size());
  return blocks * static_cast<double>(axes_[2].size()) * kTap + (blocks - 1) * kTap / 2;
}

void Stencil::draw(Scene& scene, const SumInBox& here, double left, double top) const {
  for (std::size_t i = 0; i < sum_.taps.size(); ++i) {
    const Rect at = place_of(sum_.taps[i], left, top);
    if (here.has_tap[i]) {
      scene.items.push_back({Area{at, Role::Corrected}});
    } else {
      scene.items.push_back({Area{at, Role::Background}});
      scene.items.push_back({Outline{at, Role::Unknown}});
      scene.items.push_back({Segment{{at.x, at.y}, {at.right(), at.bottom()}, Role::Unknown}});
    }
  }
}

Rect Stencil::place_of(const Tap& tap, double left, double top) const {
  std::array<double, 3> at{};
  const std::size_t missing = 3 - tap.size();
  for (std::size_t axis = 0; axis < tap.size(); ++axis) {
    const auto& all = axes_[missing + axis];
    at[missing + axis] = static_cast<double>(std::ranges::find(all, tap[axis]) - all.begin());
  }
  const double block = (static_cast<double>(axes_[2].size()) + 0.5) * kTap;
  return {left + at[0] * block + at[2] * kTap, top + at[1] * kTap, kTap - 2, kTap - 2};
}

}  // namespace pet::viz
