// All of a large scene in a corner of the window that shows a part of it: which part is framed, and
// a click or a drag moves it there.
#pragma once

#include <QKeySequence>
#include <QPixmap>
#include <QWidget>

#include "viz/geometry/minimap.h"
#include "viz/geometry/theme.h"

namespace pet::viz {

class MinimapView final : public QWidget {
  Q_OBJECT

 public:
  // `hides_it`: the key that does.
  MinimapView(QWidget* over, const QKeySequence& hides_it);

  void show_scene(const Scene& large);
  void set_theme(const Theme& theme);
  // Into its corner; hidden where all of the scene is seen anyway.
  void show_part(const Viewport& shown);

 Q_SIGNALS:
  void wanted(const Point& middle);  // of the large scene

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void draw_map();
  void ask_for(QPointF at);

  Minimap map_;
  QPixmap drawn_;  // null: it is drawn once it is seen
  Rect part_;      // of the map
  const Theme* theme_ = &Theme::light();
};

}  // namespace pet::viz
