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
  if (std::any_of(digits.begin(), digits.end(), [](const Shape& axis) { return axis.size() > 1; })) {
    std::vector<std::string> axes;
    for (const Shape& axis : digits) axes.push_back(fmt::format("{}", fmt::join(axis, "*")));
    out = fmt::format("in digits ({}): ", fmt::join(axes, ", "));
  }
  for (std::size_t i = 0; i < region.boxes.size(); ++i) out += (i == 0 ? "" : " ") + to_string(region.boxes[i]);
  return out;
}

}  // namespace pet
