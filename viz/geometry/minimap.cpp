#include "viz/geometry/minimap.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace pet::viz {
namespace {

constexpr double kNarrowest = 24;  // pixels of a map
constexpr double kSmallest = 2;    // of a block
constexpr double kShortest = 2;    // of a line

class Shrinking {
 public:
  explicit Shrinking(Minimap& map) : map_(map) {}

  void add(const Item& item) {
    if (const auto* frame = std::get_if<Outline>(&item.shape)) {
      const Rect at = map_.at(frame->at);
      if (is_new(at, frame->role)) map_.scene.items.push_back({Area{at, frame->role}});
    } else if (const auto* line = std::get_if<Segment>(&item.shape)) {
      add(*line);
    }
  }

 private:
  void add(const Segment& line) {
    const Point from{line.from.x * map_.across, line.from.y * map_.down};
    const Point to{line.to.x * map_.across, line.to.y * map_.down};
    if (std::hypot(to.x - from.x, to.y - from.y) < kShortest) return;
    const Rect ends{from.x, from.y, to.x - from.x, to.y - from.y};
    if (is_new(ends, line.role)) map_.scene.items.push_back({Segment{from, to, line.role}});
  }

  // To the pixel.
  bool is_new(const Rect& at, Role role) {
    return known_
        .insert({std::lround(at.x), std::lround(at.y), std::lround(at.width),
                 std::lround(at.height), static_cast<int>(role)})
        .second;
  }

  Minimap& map_;
  std::set<std::tuple<long, long, long, long, int>> known_;
};

}  // namespace

Rect Minimap::at(const Rect& large) const {
  Rect out{large.x * across, large.y * down, std::max(large.width * across, kSmallest),
           std::max(large.height * down, kSmallest)};
  out.x = std::clamp(out.x, 0.0, std::max(0.0, scene.width - out.width));
  out.y = std::clamp(out.y, 0.0, std::max(0.0, scene.height - out.height));
  return out;
}

Point Minimap::large(const Point& map) const { return {map.x / across, map.y / down}; }

Minimap minimap_of(const Scene& large, Extent most) {
  Minimap out;
  if (large.width <= 0 || large.height <= 0) return out;
  const double scale = std::min({1.0, most.width / large.width, most.height / large.height});
  out.scene.width = std::clamp(large.width * scale, std::min(kNarrowest, most.width), most.width);
  out.scene.height =
      std::clamp(large.height * scale, std::min(kNarrowest, most.height), most.height);
  out.across = out.scene.width / large.width;
  out.down = out.scene.height / large.height;
  Shrinking shrinking(out);
  for (const Item& item : large.items) shrinking.add(item);
  return out;
}

}  // namespace pet::viz
