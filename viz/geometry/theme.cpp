#include "viz/geometry/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pet::viz {
namespace {

// By role: background, surface, frame, text, faint, equal, wrong, unknown, corrected, selected,
// changed.
// Equal and wrong are told apart with any colour vision: blue-green and vermilion (Okabe and Ito's
// set), made darker or lighter until they stand out.
constexpr std::array<Colour, kRoles> kLight = {{{255, 255, 255},
                                                {244, 245, 247},
                                                {95, 101, 110},
                                                {26, 28, 31},
                                                {89, 94, 102},
                                                {190, 226, 216},
                                                {190, 72, 0},
                                                {110, 110, 110},
                                                {0, 110, 84},
                                                {0, 90, 170},
                                                {146, 56, 130}}};
constexpr std::array<Colour, kRoles> kDark = {{{27, 29, 33},
                                               {38, 41, 46},
                                               {150, 157, 167},
                                               {234, 236, 239},
                                               {168, 174, 183},
                                               {22, 64, 54},
                                               {255, 140, 66},
                                               {168, 168, 168},
                                               {92, 205, 168},
                                               {110, 180, 255},
                                               {232, 150, 214}}};

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(Colour c) {
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

}  // namespace

const Theme& Theme::light() {
  static const Theme theme(kLight);
  return theme;
}

const Theme& Theme::dark() {
  static const Theme theme(kDark);
  return theme;
}

std::string to_string(Colour c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

double contrast(Colour a, Colour b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace pet::viz
