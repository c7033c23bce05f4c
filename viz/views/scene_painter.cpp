#include "viz/views/scene_painter.h"

#include <QFontMetricsF>
#include <QToolTip>

#include "core/util/overloaded.h"
#include "viz/views/plain_text.h"
#include "viz/views/qt_theme.h"

namespace pet::viz {

QRectF to_qt(const Rect& r) { return {r.x, r.y, r.width, r.height}; }

void ScenePainter::paint(const Item& item) {
  std::visit(overloaded{[&](const Area& a) { painter_.fillRect(to_qt(a.at), colour(a.role)); },
                        [&](const Outline& o) { outline(o); },
                        [&](const Segment& s) {
                          painter_.setPen(QPen(colour(s.role), stroke_));
                          painter_.drawLine(QPointF(s.from.x, s.from.y), QPointF(s.to.x, s.to.y));
                        },
                        [&](const Label& l) { label(l); }},
             item.shape);
}

QColor ScenePainter::colour(Role role) const { return viz::to_qt(theme_[role]); }

void ScenePainter::outline(const Outline& o) {
  painter_.setPen(QPen(colour(o.role), o.thickness * stroke_));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRect(to_qt(o.at));
}

void ScenePainter::label(const Label& l) {
  QFont font = painter_.font();
  font.setPixelSize(static_cast<int>(l.size));
  painter_.setFont(font);
  painter_.setPen(colour(l.role));
  const QString text = QString::fromStdString(l.text);
  const double width = l.align == Align::Left ? 0 : QFontMetricsF(font).horizontalAdvance(text);
  const double shift = l.align == Align::Centre ? width / 2 : width;
  painter_.drawText(QPointF(l.at.x - shift, l.at.y), text);
}

void show_tooltip(QPoint at, const std::string& text, QWidget* over) {
  if (text.empty())
    QToolTip::hideText();
  else
    QToolTip::showText(at, as_tooltip(QString::fromStdString(text)), over);
}

}  // namespace pet::viz
