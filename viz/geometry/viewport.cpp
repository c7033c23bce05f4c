#include "viz/geometry/viewport.h"

#include <algorithm>

namespace pet::viz {
namespace {

constexpr double kMargin = 24;  // around what is revealed

double into(double low, double high, double at, double length) {
  if (low < at) return low;
  return high > at + length ? std::min(low, high - length) : at;
}

}  // namespace

void Viewport::set_content(Extent content) {
  content_ = content;
  clamp();
}

void Viewport::set_window(Extent window) {
  window_ = window;
  clamp();
}

Rect Viewport::visible() const {
  return {origin_.x, origin_.y, window_.width / scale_, window_.height / scale_};
}

Point Viewport::to_scene(Point window) const {
  return {origin_.x + window.x / scale_, origin_.y + window.y / scale_};
}

void Viewport::zoom(double factor, Point window) {
  const Point fixed = to_scene(window);
  scale_ = std::clamp(scale_ * factor, kSmallest, kLargest);
  move_to({fixed.x - window.x / scale_, fixed.y - window.y / scale_});
}

void Viewport::fit() {
  scale_ = 1;
  if (content_.width > 0) scale_ = std::min(scale_, window_.width / content_.width);
  if (content_.height > 0) scale_ = std::min(scale_, window_.height / content_.height);
  scale_ = std::max(scale_, kSmallest);
  move_to({(content_.width - window_.width / scale_) / 2, 0});
}

void Viewport::fit_width(double smallest) {
  scale_ = content_.width > 0 ? std::clamp(window_.width / content_.width, smallest, 1.0) : 1;
  move_to({(content_.width - window_.width / scale_) / 2, 0});
}

void Viewport::move_to(Point origin) {
  origin_ = origin;
  clamp();
}

void Viewport::centre_on(Point at) {
  move_to({at.x - window_.width / scale_ / 2, at.y - window_.height / scale_ / 2});
}

void Viewport::reset() {
  scale_ = 1;
  move_to({(content_.width - window_.width) / 2, 0});
}

void Viewport::show_like(const Viewport& other) {
  scale_ = other.scale_;
  move_to(other.origin_);
}

void Viewport::reveal(const Rect& at) {
  const Rect seen = visible();
  move_to({into(at.x - kMargin, at.right() + kMargin, seen.x, seen.width),
           into(at.y - kMargin, at.bottom() + kMargin, seen.y, seen.height)});
}

void Viewport::clamp() {
  const Rect seen = visible();
  origin_.x = seen.width >= content_.width
                  ? (content_.width - seen.width) / 2
                  : std::clamp(origin_.x, 0.0, content_.width - seen.width);
  origin_.y = seen.height >= content_.height
                  ? 0
                  : std::clamp(origin_.y, 0.0, content_.height - seen.height);
}

}  // namespace pet::viz
