#include "viz/geometry/scene.h"

#include <algorithm>
#include <cmath>

namespace pet::viz {

std::vector<Segment> hatch(const Rect& at, Role role, double spacing) {
  std::vector<Segment> out;
  // Each line is x + y = sum; the sums are multiples of the spacing wherever the rectangle lies.
  const double last = at.right() + at.bottom();
  for (double sum = (std::floor((at.x + at.y) / spacing) + 1) * spacing; sum < last;
       sum += spacing) {
    const double left = std::max(at.x, sum - at.bottom());
    const double right = std::min(at.right(), sum - at.y);
    if (right > left) out.push_back({{left, sum - left}, {right, sum - right}, role});
  }
  return out;
}

std::vector<Segment> dots(const Rect& at, Role role, double spacing) {
  std::vector<Segment> out;
  for (double y = at.y + spacing / 2; y < at.bottom(); y += spacing) {
    for (double x = at.x + spacing / 2; x < at.right(); x += spacing)
      out.push_back({{x, y}, {std::min(x + 1, at.right()), y}, role});
  }
  return out;
}

std::vector<Segment> dashes(const Rect& at, Role role, double length) {
  std::vector<Segment> out;
  for (double x = at.x; x < at.right(); x += 2 * length)
    for (const double y : {at.y, at.bottom()})
      out.push_back({{x, y}, {std::min(x + length, at.right()), y}, role});
  for (double y = at.y; y < at.bottom(); y += 2 * length)
    for (const double x : {at.x, at.right()})
      out.push_back({{x, y}, {x, std::min(y + length, at.bottom())}, role});
  return out;
}

std::vector<Segment> ticks(const Rect& at, Role role, double spacing) {
  std::vector<Segment> out;
  for (double y = at.y + 4; y + 8 <= at.bottom(); y += spacing) {
    for (double x = at.x + 3; x + 9 <= at.right(); x += spacing) {
      out.push_back({{x, y + 4}, {x + 3, y + 7}, role});
      out.push_back({{x + 3, y + 7}, {x + 8, y}, role});
    }
  }
  return out;
}

}  // namespace pet::viz
