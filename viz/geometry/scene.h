// What a page shows, as shapes without a toolkit: windows paint a scene, and files are written from
// the same one, so that both are the same picture. Lengths are in pixels at scale 1, x to the
// right, y down.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace pet::viz {

// What something stands for; the theme says in which colour it is drawn. A state is never told by
// its colour alone: what is wrong is hatched, what is not known dotted.
enum class Role {
  Background,
  Surface,
  Frame,
  Text,
  Faint,
  Equal,
  Wrong,
  Unknown,
  Corrected,
  Selected,
  Changed
};
inline constexpr int kRoles = 11;

struct Point {
  double x = 0;
  double y = 0;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct Area {  // a filled rectangle
  Rect at;
  Role role = Role::Surface;
};
struct Outline {
  Rect at;
  Role role = Role::Frame;
  double thickness = 1;
};
struct Segment {
  Point from;
  Point to;
  Role role = Role::Frame;
};
enum class Align { Left, Centre, Right };
struct Label {
  Point at;  // of the baseline
  std::string text;
  Align align = Align::Left;
  Role role = Role::Text;
  double size = 12;
};

struct Item {
  std::variant<Area, Outline, Segment, Label> shape;
  std::string id = {};       // of what it stands for; empty: of nothing that can be chosen
  std::string tooltip = {};  // plain text
};

struct Scene {
  double width = 0;
  double height = 0;
  std::vector<Item> items;  // from the back to the front
};

// Lines from lower left to upper right, `spacing` apart, cut off at the rectangle. Those of
// neighbours meet.
std::vector<Segment> hatch(const Rect& at, Role role, double spacing = 6);
// Small ticks on a grid.
std::vector<Segment> ticks(const Rect& at, Role role, double spacing = 14);
// Along its border.
std::vector<Segment> dashes(const Rect& at, Role role, double length = 6);
// Short dashes on a grid.
std::vector<Segment> dots(const Rect& at, Role role, double spacing = 6);

}  // namespace pet::viz
