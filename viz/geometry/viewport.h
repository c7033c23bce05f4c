// What part of a scene a window shows, and how large: zoom, pan, and bring into view. A scene that
// is smaller than the window stands in its middle, at its top; else no edge of it comes inside.
#pragma once

#include "viz/geometry/scene.h"

namespace pet::viz {

struct Extent {
  double width = 0;
  double height = 0;
};

class Viewport {
 public:
  static constexpr double kSmallest = 0.02;
  static constexpr double kLargest = 4;

  void set_content(Extent content);
  void set_window(Extent window);

  double scale() const { return scale_; }      // pixels of the window for one of the scene
  Point origin() const { return origin_; }     // of the window's upper left corner, in the scene
  Extent content() const { return content_; }  // the scene's
  Rect visible() const;                        // in the scene
  Point to_scene(Point window) const;

  // What is under that point of the window stays there.
  void zoom(double factor, Point window);
  // All of it, but no larger than as it is.
  void fit();
  void move_to(Point origin);
  void centre_on(Point at);
  // As wide as the window, but no larger than as it is and no smaller than `smallest`; its top.
  void fit_width(double smallest);
  // As it is at first: as large as it is, from the middle of its top.
  void reset();
  // The same part as another window shows, as far as this one has room.
  void show_like(const Viewport& other);
  // Moves no more than it has to.
  void reveal(const Rect& at);

 private:
  void clamp();

  Extent content_, window_;
  double scale_ = 1;
  Point origin_;
};

}  // namespace pet::viz
