// Intervals side by side along a line: what planes and rulers are made of.
#pragma once

#include <string>
#include <vector>

#include "viz/geometry/quotient_grid.h"
#include "viz/geometry/scene.h"

namespace pet::viz {

inline constexpr double kSmallText = 10;        // the size of labels at rulers
inline constexpr double kSmallCharacter = 6.2;  // the width of one of theirs, at most

// As much of it as there is room for, with an ellipsis where something is missing; empty where
// there is room for nothing.
std::string fitting(const std::string& words, double width, double character = kSmallCharacter);

// Where intervals begin along a line, and where the last one ends.
struct Line {
  std::vector<double> from;
  double length() const { return from.back(); }
  void stretch_to(double length);
};

// A longer interval is longer, by so much where it is twice as long, but any is wide enough for a
// label.
Line schematic_line(const std::vector<Interval>& intervals, double narrowest = 34,
                    double growth = 11);
// As long as they are; what would not be seen is one pixel long.
Line true_line(const std::vector<Interval>& intervals, double per_element);

inline constexpr double kRulerHeight = 18;

struct RulerPart {
  Interval range;
  State state = State::Equal;
  std::string id = {};
  std::string tooltip = {};
};

// Each with its range where there is room. Returns where they lie, from `left`.
Line add_ruler(Scene& scene, const std::vector<RulerPart>& parts, double left, double top,
               double length);

}  // namespace pet::viz
