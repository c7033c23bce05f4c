// The colours of all roles, light and dark: the only place that holds any.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "viz/geometry/scene.h"

namespace pet::viz {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

class Theme {
 public:
  static const Theme& light();
  static const Theme& dark();
  Colour operator[](Role role) const { return colours_[static_cast<std::size_t>(role)]; }

 private:
  explicit Theme(const std::array<Colour, kRoles>& colours) : colours_(colours) {}
  std::array<Colour, kRoles> colours_;
};

std::string to_string(Colour colour);  // #rrggbb

// How well one is read on the other: 1 (not at all) to 21 (WCAG 2.1, contrast ratio).
double contrast(Colour a, Colour b);

}  // namespace pet::viz
