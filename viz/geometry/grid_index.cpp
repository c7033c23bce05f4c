#include "viz/geometry/grid_index.h"

#include <algorithm>
#include <cmath>

#include "core/util/overloaded.h"

namespace pet::viz {
namespace {

constexpr double kCell = 256;            // pixels
constexpr std::int64_t kMostCells = 64;  // of one item

struct Cells {
  std::int64_t top, bottom, left, right;  // all included
  std::int64_t number() const { return (bottom - top + 1) * (right - left + 1); }
};

std::int64_t cell(double at) { return static_cast<std::int64_t>(std::floor(at / kCell)); }
Cells cells_of(const Rect& at) {
  return {cell(at.y), cell(at.bottom()), cell(at.x), cell(at.right())};
}

bool touch(const Rect& a, const Rect& b) {
  return a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

Rect grown(const Rect& at, double by) {
  return {at.x - by, at.y - by, at.width + 2 * by, at.height + 2 * by};
}

Rect bounds_of(const Segment& s) {
  return grown({std::min(s.from.x, s.to.x), std::min(s.from.y, s.to.y), std::abs(s.from.x - s.to.x),
                std::abs(s.from.y - s.to.y)},
               1);
}

Rect bounds_of(const Label& l) {
  const double width = l.size * static_cast<double>(l.text.size());
  const double shift = l.align == Align::Left ? 0 : l.align == Align::Centre ? width / 2 : width;
  return {l.at.x - shift, l.at.y - l.size, width, 1.5 * l.size};
}

}  // namespace

Rect bounds_of(const Item& item) {
  return std::visit(overloaded{[](const Area& a) { return a.at; },
                               [](const Outline& o) { return grown(o.at, o.thickness); },
                               [](const Segment& s) { return bounds_of(s); },
                               [](const Label& l) { return bounds_of(l); }},
                    item.shape);
}

GridIndex::GridIndex(const std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    bounds_.push_back(bounds_of(items[i]));
    const Cells cells = cells_of(bounds_.back());
    if (cells.number() > kMostCells) {
      large_.push_back(i);
      continue;
    }
    for (std::int64_t row = cells.top; row <= cells.bottom; ++row)
      for (std::int64_t column = cells.left; column <= cells.right; ++column)
        entries_.push_back({row, column, i});
  }
  std::ranges::sort(entries_);
  if (entries_.empty()) return;
  first_row_ = entries_.front().row;
  last_row_ = entries_.back().row;
}

std::vector<std::size_t> GridIndex::touching(const Rect& at) const {
  const Cells cells = cells_of(at);
  std::vector<std::size_t> out;
  const auto look = [&](std::size_t item) {
    if (touch(bounds_[item], at)) out.push_back(item);
  };
  for (const std::size_t item : large_) look(item);
  const std::int64_t last = std::min(cells.bottom, last_row_);
  for (std::int64_t row = std::max(cells.top, first_row_); row <= last; ++row) {
    auto entry = std::ranges::lower_bound(entries_, Entry{row, cells.left, 0});
    for (; entry != entries_.end() && entry->row == row && entry->column <= cells.right; ++entry)
      look(entry->item);
  }
  std::ranges::sort(out);
  const auto [first, end] = std::ranges::unique(out);
  out.erase(first, end);
  return out;
}

}  // namespace pet::viz
