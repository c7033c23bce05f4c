#include "viz/geometry/ruler.h"

#include <algorithm>
#include <cmath>

#include "viz/geometry/state_pattern.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

template <class Length>
Line line_of(const std::vector<Interval>& intervals, Length&& length) {
  Line out{{0}};
  for (const Interval& i : intervals) out.from.push_back(out.from.back() + length(i.extent()));
  return out;
}

// A label on something hatched stands on a plate of its own.
void add_range(Scene& scene, const RulerPart& part, const Rect& at) {
  const std::string words = range_in_words(part.range.low, part.range.high);
  const double width = kSmallCharacter * static_cast<double>(words.size()) + 2;
  if (width > at.width) return;
  const double middle = at.x + at.width / 2;
  if (part.state != State::Equal)
    scene.items.push_back(
        {Area{{middle - width / 2, at.y + 2, width, at.height - 4}, Role::Background}});
  scene.items.push_back({Label{{middle, at.y + 13}, words, Align::Centre, Role::Text, kSmallText}});
}

}  // namespace

std::string fitting(const std::string& words, double width, double character) {
  const auto begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto number = static_cast<double>(std::ranges::count_if(words, begins_one));
  if (number * character <= width) return words;
  const auto most = static_cast<std::size_t>(std::max(0.0, width / character));
  if (most < 3) return {};
  std::size_t begun = 0, at = 0;
  for (; at < words.size(); ++at)
    if (begins_one(words[at]) && ++begun == most) break;
  return words.substr(0, at) + "…";
}

void Line::stretch_to(double length) {
  const double factor = length / from.back();
  for (double& at : from) at *= factor;
}

Line schematic_line(const std::vector<Interval>& intervals, double narrowest, double growth) {
  return line_of(intervals, [&](Dim extent) {
    return narrowest + growth * std::log2(static_cast<double>(extent));
  });
}

Line true_line(const std::vector<Interval>& intervals, double per_element) {
  return line_of(intervals, [&](Dim extent) {
    return std::max(1.0, static_cast<double>(extent) * per_element);
  });
}

Line add_ruler(Scene& scene, const std::vector<RulerPart>& parts, double left, double top,
               double length) {
  std::vector<Interval> intervals;
  for (const RulerPart& part : parts) intervals.push_back(part.range);
  Line line = schematic_line(intervals);
  line.stretch_to(length);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Rect at{left + line.from[i], top, line.from[i + 1] - line.from[i], kRulerHeight};
    scene.items.push_back(
        {Area{at, parts[i].state == State::Equal ? Role::Equal : Role::Background}, parts[i].id,
         parts[i].tooltip});
    for (const Segment& s : pattern_of(parts[i].state, at)) scene.items.push_back({s});
    scene.items.push_back({Outline{at, Role::Frame}});
    add_range(scene, parts[i], at);
  }
  return line;
}

}  // namespace pet::viz
