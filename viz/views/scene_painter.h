// Paints items of a scene.
#pragma once

#include <QPainter>
#include <QRectF>

#include "viz/geometry/scene.h"
#include "viz/geometry/theme.h"

class QWidget;

namespace pet::viz {

QRectF to_qt(const Rect& at);

class ScenePainter {
 public:
  // Of a painter that shows everything smaller, lines stay as wide as they are.
  ScenePainter(QPainter& painter, const Theme& theme, double scale = 1)
      : painter_(painter), theme_(theme), stroke_(scale < 1 ? 1 / scale : 1) {}
  void paint(const Item& item);

 private:
  QColor colour(Role role) const;
  void outline(const Outline& outline);
  void label(const Label& label);

  QPainter& painter_;
  const Theme& theme_;
  const double stroke_;  // how much wider they are drawn for that
};

// Shows a text at that point of the screen, or none. Names come from files: never markup.
void show_tooltip(QPoint at, const std::string& text, QWidget* over);

}  // namespace pet::viz
