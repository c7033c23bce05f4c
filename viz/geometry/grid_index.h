// Which items of a scene touch a rectangle, without looking at all of them: each stands in the
// cells of a square grid that its bounds touch.
#pragma once

#include <cstdint>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

// What an item may cover; of a label more than it does, as no font is known here.
Rect bounds_of(const Item& item);

class GridIndex {
 public:
  GridIndex() = default;
  explicit GridIndex(const std::vector<Item>& items);

  // Numbers of items, from the back to the front.
  std::vector<std::size_t> touching(const Rect& at) const;

 private:
  struct Entry {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::size_t item = 0;
    auto operator<=>(const Entry&) const = default;
  };

  std::vector<Rect> bounds_;
  std::vector<Entry> entries_;      // sorted
  std::vector<std::size_t> large_;  // in too many cells to be written down
  std::int64_t first_row_ = 0;
  std::int64_t last_row_ = -1;
};

}  // namespace pet::viz
