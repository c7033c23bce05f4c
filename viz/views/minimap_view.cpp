#include "viz/views/minimap_view.h"

#include <QMouseEvent>
#include <QPainter>

#include "viz/views/qt_theme.h"
#include "viz/views/scene_painter.h"

namespace pet::viz {
namespace {

constexpr Extent kMost{150, 170};  // pixels
constexpr int kFromEdge = 10;
constexpr int kBorder = 4;  // between the frame and the map

}  // namespace

MinimapView::MinimapView(QWidget* over, const QKeySequence& hides_it) : QWidget(over) {
  setAccessibleName(tr("All of it, small"));
  setToolTip(tr("All of it; click or drag to go there. %1 hides it")
                 .arg(hides_it.toString(QKeySequence::NativeText)));
  setCursor(Qt::PointingHandCursor);
  hide();
}

void MinimapView::show_scene(const Scene& large) {
  map_ = minimap_of(large, kMost);
  drawn_ = {};
  update();
}

void MinimapView::set_theme(const Theme& theme) {
  theme_ = &theme;
  drawn_ = {};
  update();
}

void MinimapView::show_part(const Viewport& shown) {
  const Rect seen = shown.visible();
  const Extent all = shown.content();
  setVisible(all.width > seen.width + 1 || all.height > seen.height + 1);
  if (isHidden()) return;
  // What is seen beside the scene is no part of it.
  const double left = std::max(0.0, seen.x), top = std::max(0.0, seen.y);
  part_ = map_.at({left, top, std::min(all.width, seen.right()) - left,
                   std::min(all.height, seen.bottom()) - top});
  const QSize size(static_cast<int>(map_.scene.width) + 2 * kBorder,
                   static_cast<int>(map_.scene.height) + 2 * kBorder);
  const QSize over = parentWidget()->size();
  setGeometry(
      {QPoint(over.width() - size.width() - kFromEdge, over.height() - size.height() - kFromEdge),
       size});
  update();
}

void MinimapView::draw_map() {
  const double ratio = devicePixelRatioF();
  drawn_ = QPixmap(size() * ratio);
  drawn_.setDevicePixelRatio(ratio);
  drawn_.fill(viz::to_qt((*theme_)[Role::Background]));
  QPainter painter(&drawn_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(kBorder, kBorder);
  ScenePainter paint(painter, *theme_);
  for (const Item& item : map_.scene.items) paint.paint(item);
}

void MinimapView::paintEvent(QPaintEvent* /*event*/) {
  if (drawn_.isNull() || drawn_.deviceIndependentSize().toSize() != size()) draw_map();
  QPainter painter(this);
  painter.drawPixmap(0, 0, drawn_);
  ScenePainter paint(painter, *theme_);
  paint.paint({Outline{{0.5, 0.5, width() - 1.0, height() - 1.0}, Role::Frame, 1}});
  paint.paint({Outline{
      {part_.x + kBorder, part_.y + kBorder, part_.width, part_.height}, Role::Selected, 2}});
}

void MinimapView::mousePressEvent(QMouseEvent* event) { ask_for(event->position()); }
void MinimapView::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) ask_for(event->position());
}

void MinimapView::ask_for(QPointF at) {
  Q_EMIT wanted(map_.large({at.x() - kBorder, at.y() - kBorder}));
}

}  // namespace pet::viz
