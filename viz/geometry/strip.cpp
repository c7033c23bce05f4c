#include "viz/geometry/strip.h"

#include <fmt/format.h>

#include <algorithm>

#include "viz/geometry/region_facts.h"

namespace pet::viz {
namespace {

constexpr double kLevel = 12;  // pixels a depth
constexpr double kWidest = 8;
constexpr double kNarrowest = 2;
constexpr double kLine = 20;

}  // namespace

Scene strip_scene(const std::vector<StripMark>& marks, double width, const std::string& what) {
  Scene out;
  const auto most = static_cast<std::size_t>(std::max(1.0, width / kNarrowest));
  const std::size_t shown = std::min(marks.size(), most);
  const std::size_t first = marks.size() - shown;
  std::size_t deepest = 0;
  for (const StripMark& mark : marks) deepest = std::max(deepest, mark.depth);
  const double step =
      shown == 0 ? kWidest : std::clamp(width / static_cast<double>(shown), kNarrowest, kWidest);
  for (std::size_t i = 0; i < shown; ++i) {
    const StripMark& mark = marks[first + i];
    const double top = kLevel * static_cast<double>(mark.depth);
    Rect at{step * static_cast<double>(i), top, std::max(1.0, step - 1), kLevel - 2};
    if (!mark.is_full) at = {at.x, at.y + at.height / 2, at.width, at.height / 2};
    out.items.push_back({Area{at, mark.role}, mark.id, mark.tooltip});
  }
  const double bottom = kLevel * static_cast<double>(deepest + 1);
  const std::string words =
      shown == marks.size()
          ? fmt::format("{} {}, in the order of the walk; deeper ones stand lower",
                        grouped(static_cast<Dim>(shown)), what)
          : fmt::format("the last {} of {} {}, in the order of the walk; deeper ones stand lower",
                        grouped(static_cast<Dim>(shown)), grouped(static_cast<Dim>(marks.size())),
                        what);
  out.items.push_back({Label{{0, bottom + kLine - 6}, words, Align::Left, Role::Text, 11}});
  out.width = width;
  out.height = bottom + kLine;
  return out;
}

}  // namespace pet::viz
