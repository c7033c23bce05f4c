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

std::string in_words(const Strip& strip, const std::string& what) {
  const auto number = [](std::size_t n) { return grouped(static_cast<Dim>(n)); };
  const std::size_t end = strip.first + strip.marks.size();
  const std::string of_all = fmt::format("of {} {}", number(strip.all), what);
  if (strip.marks.size() == strip.all) return fmt::format("{} {}", number(strip.all), what);
  if (end == strip.all) return fmt::format("the last {} {}", number(strip.marks.size()), of_all);
  return fmt::format("{} to {} {}", number(strip.first + 1), number(end), of_all);
}

}  // namespace

std::size_t room_of_strip(double width) {
  return static_cast<std::size_t>(std::max(1.0, width / kNarrowestMark));
}

std::size_t first_of_strip(std::size_t all, std::size_t room, std::optional<std::size_t> seen) {
  const std::size_t last = all - std::min(all, room);
  return seen ? std::min(last, *seen) : last;
}

Scene strip_scene(const Strip& strip, double width, const std::string& what) {
  Scene out;
  const double step = strip.marks.empty()
                          ? kWidestMark
                          : std::clamp(width / static_cast<double>(strip.marks.size()),
                                       kNarrowestMark, kWidestMark);
  const double bottom = kMarkLevel * static_cast<double>(strip.deepest + 1);
  std::optional<Rect> selected;
  for (std::size_t i = 0; i < strip.marks.size(); ++i) {
    const StripMark& mark = strip.marks[i];
    const double top = kMarkLevel * static_cast<double>(mark.depth);
    Rect at{step * static_cast<double>(i), top, std::max(1.0, step - 1), kMarkLevel - 2};
    if (!mark.is_full) at = {at.x, at.y + at.height / 2, at.width, at.height / 2};
    out.items.push_back({Area{at, mark.role}, mark.id, mark.tooltip});
    if (!strip.selected.empty() && mark.id == strip.selected)
      selected = Rect{std::max(0.0, at.x - 2), 0, at.width + 4, bottom};
  }
  // As high as the strip: a mark of two pixels would not be seen in a frame of its own size.
  if (selected) out.items.push_back({Outline{*selected, Role::Selected, 2}});
  out.items.push_back(
      {Label{{0, bottom + kMarkLine - 6},
             in_words(strip, what) + ", in the order of the walk; deeper ones stand lower",
             Align::Left,
             Role::Text,
             11}});
  out.width = width;
  out.height = bottom + kMarkLine;
  return out;
}

}  // namespace pet::viz
