#include "core/ir/box.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pet {

Dim Box::volume() const {
  Dim product = 1;
  for (std::size_t i = 0; i < low.size(); ++i) product *= std::max<Dim>(0, high[i] - low[i]);
  return product;
}

bool Box::contains(const Shape& point) const {
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (point[i] < low[i] || point[i] >= high[i]) return false;
  }
  return true;
}

DigitBasis DigitBasis::plain(const Shape& shape) {
  DigitBasis basis;
  for (const Dim extent : shape) basis.digits.push_back({extent});
  return basis;
}

Shape DigitBasis::flat() const {
  Shape all;
  for (const Shape& axis : digits) all.insert(all.end(), axis.begin(), axis.end());
  return all;
}

Shape DigitBasis::shape() const {
  Shape out;
  for (const Shape& axis : digits) out.push_back(count(axis));
  return out;
}

Dim Region::volume() const {
  Dim sum = 0;
  for (const Box& box : boxes) sum += box.volume();
  return sum;
}

std::vector<char> Region::points() const {
  const Shape flat = basis.flat();
  const auto strides = row_major_strides(flat);
  std::vector<char> marks(static_cast<std::size_t>(count(flat)), 0);
  for (const Box& box : boxes) {
    if (box.volume() == 0) continue;
    for (Shape at = box.low;;) {
      Dim offset = 0;
      for (std::size_t a = 0; a < at.size(); ++a) offset += at[a] * strides[a];
      marks[static_cast<std::size_t>(offset)] = 1;
      std::size_t a = at.size();
      for (; a > 0 && ++at[a - 1] == box.high[a - 1]; --a) at[a - 1] = box.low[a - 1];
      if (a == 0) break;
    }
  }
  return marks;
}

bool is_sound(const Region& region) {
  const Shape flat = region.basis.flat();
  const auto lies_inside = [&](const Box& box) {
    if (box.low.size() != flat.size() || box.high.size() != flat.size()) return false;
    for (std::size_t i = 0; i < flat.size(); ++i) {
      if (box.low[i] < 0 || box.low[i] > box.high[i] || box.high[i] > flat[i]) return false;
    }
    return true;
  };
  return checked_count(flat) && std::all_of(region.boxes.begin(), region.boxes.end(), lies_inside);
}

std::string to_string(const Box& box) {
  std::string out;
  for (std::size_t i = 0; i < box.low.size(); ++i) {
    out += fmt::format("{}[{},{})", i == 0 ? "" : "x", box.low[i], box.high[i]);
  }
  return out.empty() ? "[]" : out;
}

std::string to_string(const Region& region) {
  std::string out;
  const auto& digits = region.basis.digits;
  if (std::any_of(digits.begin(), digits.end(),
                  [](const Shape& axis) { return axis.size() > 1; })) {
    std::vector<std::string> axes;
    for (const Shape& axis : digits) axes.push_back(fmt::format("{}", fmt::join(axis, "*")));
    out = fmt::format("in digits ({}): ", fmt::join(axes, ", "));
  }
  for (std::size_t i = 0; i < region.boxes.size(); ++i)
    out += (i == 0 ? "" : " ") + to_string(region.boxes[i]);
  return out;
}

}  // namespace pet
