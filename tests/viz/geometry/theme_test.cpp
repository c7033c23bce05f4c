#include "viz/geometry/theme.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

TEST_CASE("The contrast of black and white is 21, of a colour and itself 1") {
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == Approx(21));
  CHECK(contrast({10, 200, 3}, {10, 200, 3}) == Approx(1));
}

TEST_CASE("Text is read at 4.5 to 1, shapes are seen at 3 to 1, in light and in dark") {
  for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
    const auto against = [&](Role a, Role b) { return contrast((*theme)[a], (*theme)[b]); };
    for (const Role behind : {Role::Background, Role::Surface, Role::Equal}) {
      CHECK(against(Role::Text, behind) >= 4.5);
    }
    CHECK(against(Role::Faint, Role::Background) >= 4.5);
    CHECK(against(Role::Faint, Role::Surface) >= 4.5);
    for (const Role shape :
         {Role::Frame, Role::Wrong, Role::Unknown, Role::Corrected, Role::Selected, Role::Changed})
      CHECK(against(shape, Role::Background) >= 3);
    for (const Role shape : {Role::Frame, Role::Wrong, Role::Selected, Role::Changed})
      CHECK(against(shape, Role::Equal) >= 3);
  }
}

}  // namespace
}  // namespace pet::viz
