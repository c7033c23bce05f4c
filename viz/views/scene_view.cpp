#include "viz/views/scene_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <ranges>

#include "core/util/overloaded.h"
#include "viz/views/qt_theme.h"

namespace pet::viz {
namespace {

QRectF to_qt(const Rect& r) { return {r.x, r.y, r.width, r.height}; }

class ScenePainter {
 public:
  ScenePainter(QPainter& painter, const Theme& theme) : painter_(painter), theme_(theme) {}

  void paint(const Item& item) {
    std::visit(overloaded{[&](const Area& a) { painter_.fillRect(to_qt(a.at), colour(a.role)); },
                          [&](const Outline& o) { outline(o); },
                          [&](const Segment& s) {
                            painter_.setPen(QPen(colour(s.role), 1));
                            painter_.drawLine(QPointF(s.from.x, s.from.y), QPointF(s.to.x, s.to.y));
                          },
                          [&](const Label& l) { label(l); }},
               item.shape);
  }

 private:
  QColor colour(Role role) const { return viz::to_qt(theme_[role]); }

  void outline(const Outline& o) {
    painter_.setPen(QPen(colour(o.role), o.thickness));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(to_qt(o.at));
  }

  void label(const Label& l) {
    QFont font = painter_.font();
    font.setPixelSize(static_cast<int>(l.size));
    painter_.setFont(font);
    painter_.setPen(colour(l.role));
    const QString text = QString::fromStdString(l.text);
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    const double shift = l.align == Align::Left ? 0 : l.align == Align::Centre ? width / 2 : width;
    painter_.drawText(QPointF(l.at.x - shift, l.at.y), text);
  }

  QPainter& painter_;
  const Theme& theme_;
};

}  // namespace

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
  if (item == nullptr || item->tooltip.empty()) {
    QToolTip::hideText();
  } else {
    // Names come from files: never markup.
    const QString text = QString::fromStdString(item->tooltip).toHtmlEscaped();
    QToolTip::showText(help->globalPos(), "<p style='white-space:pre'>" + text + "</p>", this);
  }
  return true;
}

}  // namespace pet::viz
