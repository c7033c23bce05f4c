#include "viz/geometry/strip.h"

#include <fmt/format.h>

#include <algorithm>

#include "viz/words/numbers.h"

namespace pet::viz {
namespace {

constexpr double kMarkLevel = 12;  // pixels a depth
constexpr double kWidestMark = 8;
constexpr double kNarrowestMark = 2;
constexpr double kMarkLine = 20;

}  // namespace

Scene strip_scene(const std::vector<StripMark>& marks, double width, const std::string& what) {
  Scene out;
  const auto most = static_cast<std::size_t>(std::max(1.0, width / kNarrowestMark));
  const std::size_t shown = std::min(marks.size(), most);
  const std::size_t first = marks.size() - shown;
  std::size_t deepest = 0;
  for (const StripMark& mark : marks) deepest = std::max(deepest, mark.depth);
  const double step =
      shown == 0 ? kWidestMark
                 : std::clamp(width / static_cast<double>(shown), kNarrowestMark, kWidestMark);
  for (std::size_t i = 0; i < shown; ++i) {
    const StripMark& mark = marks[first + i];
    const double top = kMarkLevel * static_cast<double>(mark.depth);
    Rect at{step * static_cast<double>(i), top, std::max(1.0, step - 1), kMarkLevel - 2};
    if (!mark.is_full) at = {at.x, at.y + at.height / 2, at.width, at.height / 2};
    out.items.push_back({Area{at, mark.role}, mark.id, mark.tooltip});
  }
  const double bottom = kMarkLevel * static_cast<double>(deepest + 1);
  const std::string words =
      shown == marks.size()
          ? fmt::format("{} {}, in the order of the walk; deeper ones stand lower",
                        grouped(static_cast<Dim>(shown)), what)
          : fmt::format("the last {} of {} {}, in the order of the walk; deeper ones stand lower",
                        grouped(static_cast<Dim>(shown)), grouped(static_cast<Dim>(marks.size())),
                        what);
  out.items.push_back({Label{{0, bottom + kMarkLine - 6}, words, Align::Left, Role::Text, 11}});
  out.width = width;
  out.height = bottom + kMarkLine;
  return out;
}

}  // namespace pet::viz
