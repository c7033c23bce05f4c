// A large scene that one zooms and pans: wheel and drag, Ctrl and wheel. Only what is in the window
// is painted; while it moves, without what is not seen then.
#pragma once

#include <QAbstractScrollArea>
#include <QTimer>

#include "viz/geometry/grid_index.h"
#include "viz/geometry/theme.h"
#include "viz/geometry/viewport.h"
#include "viz/graph_layout/walk.h"

namespace pet::viz {

class MinimapView;

class GraphView final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit GraphView(QWidget* parent = nullptr);

  void show_scene(Scene scene);  // nothing is marked
  void from_the_top();           // what is shown next
  const Scene& scene() const { return scene_; }
  void set_theme(const Theme& theme);
  void mark(const std::vector<Rect>& places);  // framed as what is selected
  void show_like(const Viewport& other);       // the same part of another scene of this size
  void reveal(const Rect& at);
  // In a corner, where not all is seen; at first there is none. `hides_it`: the key that does.
  void show_minimap(const QKeySequence& hides_it);
  void hide_minimap();
  void zoom_in() { zoom(kStep, middle()); }
  void zoom_out() { zoom(1 / kStep, middle()); }
  void fit();
  void fit_width();  // as far as it can still be read well
  const Viewport& shown() const { return shown_; }
  std::size_t painted() const { return painted_; }  // items, the last time

 Q_SIGNALS:
  void chosen(const QString& id);  // of the item that was clicked; empty: of none
  void walked(Direction direction);
  void entered();
  void zoomed();
  void moved();  // by a person, or to reveal something

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  static constexpr double kStep = 1.25;

  void zoom(double factor, QPointF at);
  void moves();  // what it shows changed; the bars go along
  void set_bars();
  QPointF middle() const;
  bool is_worth_painting(const Item& item) const;
  const Item* item_at(QPointF window) const;  // the front one that has a tooltip

  Scene scene_;  // what is marked are its last items
  std::size_t marked_ = 0;
  GridIndex index_;
  Viewport shown_;
  bool is_setting_bars_ = false;
  bool is_fresh_ = true;  // shown from its top until somebody moves it
  QPointF pressed_, last_;
  bool is_dragged_ = false;
  MinimapView* minimap_ = nullptr;  // there where it is wanted
  QTimer rest_;                     // runs while it moves
  std::size_t painted_ = 0;
  const Theme* theme_ = &Theme::light();
};

}  // namespace pet::viz
