#include "viz/views/scene_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <ranges>

#include "viz/views/qt_theme.h"
#include "viz/views/scene_painter.h"

namespace pet::viz {

SceneView::SceneView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void SceneView::show_scene(Scene scene) {
  scene_ = std::move(scene);
  setMinimumSize(static_cast<int>(scene_.width) + 1, static_cast<int>(scene_.height) + 1);
  update();
}

void SceneView::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void SceneView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), viz::to_qt((*theme_)[Role::Background]));
  ScenePainter paint(painter, *theme_);
  for (const Item& item : scene_.items) paint.paint(item);
}

const Item* SceneView::item_at(QPointF point) const {
  for (const Item& item : scene_.items | std::views::reverse) {
    const auto* area = std::get_if<Area>(&item.shape);
    if (area == nullptr || (item.id.empty() && item.tooltip.empty())) continue;
    if (to_qt(area->at).contains(point)) return &item;
  }
  return nullptr;
}

void SceneView::mousePressEvent(QMouseEvent* event) {
  const Item* item = item_at(event->position());
  Q_EMIT chosen(item == nullptr ? QString() : QString::fromStdString(item->id));
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
  const Item* item = item_at(event->position());
  hover(item == nullptr ? QString() : QString::fromStdString(item->id));
}

void SceneView::leaveEvent(QEvent*) { hover({}); }

void SceneView::hover(const QString& id) {
  if (hovered_ == id) return;
  hovered_ = id;
  Q_EMIT hovered(id);
}

bool SceneView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Item* item = item_at(help->pos());
  show_tooltip(help->globalPos(), item == nullptr ? std::string() : item->tooltip, this);
  return true;
}

}  // namespace pet::viz
