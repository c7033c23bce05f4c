#include "viz/views/graph_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "viz/views/minimap_view.h"
#include "viz/views/qt_theme.h"
#include "viz/views/scene_painter.h"

namespace pet::viz {
namespace {

constexpr int kRest = 120;                 // ms after the last move
constexpr double kTextWhileMoving = 0.45;  // zoom
constexpr double kSmallestText = 4.5;      // pixels; less cannot be read
constexpr double kSmallestRead = 0.7;      // zoom
constexpr double kSmallestStroke = 2;      // pixels; less is not seen among others
constexpr double kReach = 4;               // pixels: so near to a line is on it

bool is_near(const Segment& s, Point p, double reach) {
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const double length = dx * dx + dy * dy;
  const double along = ((p.x - s.from.x) * dx + (p.y - s.from.y) * dy) / std::max(length, 1e-9);
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(s.from.x + t * dx - p.x, s.from.y + t * dy - p.y) <= reach;
}

}  // namespace

GraphView::GraphView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
}

void GraphView::show_scene(Scene scene) {
  scene_ = std::move(scene);
  marked_ = 0;
  index_ = GridIndex(scene_.items);
  shown_.set_content({scene_.width, scene_.height});
  if (is_fresh_) shown_.reset();
  if (minimap_ != nullptr) minimap_->show_scene(scene_);
  set_bars();
  viewport()->update();
}

void GraphView::show_minimap(const QKeySequence& hides_it) {
  if (minimap_ != nullptr) return;
  minimap_ = new MinimapView(viewport(), hides_it);
  minimap_->set_theme(*theme_);
  minimap_->show_scene(scene_);
  minimap_->show_part(shown_);
  connect(minimap_, &MinimapView::wanted, this, [this](const Point& middle) {
    shown_.centre_on(middle);
    moves();
  });
}

void GraphView::hide_minimap() { delete std::exchange(minimap_, nullptr); }

void GraphView::from_the_top() {
  is_fresh_ = true;
  shown_.reset();
}

void GraphView::set_theme(const Theme& theme) {
  theme_ = &theme;
  if (minimap_ != nullptr) minimap_->set_theme(theme);
  viewport()->update();
}

void GraphView::mark(const std::vector<Rect>& places) {
  scene_.items.resize(scene_.items.size() - marked_);
  marked_ = places.size();
  for (const Rect& at : places) scene_.items.push_back({Outline{at, Role::Selected, 3}});
  if (minimap_ != nullptr) minimap_->show_scene(scene_);
  viewport()->update();
}

void GraphView::show_like(const Viewport& other) {
  shown_.show_like(other);
  is_fresh_ = false;
  rest_.start();
  set_bars();
  viewport()->update();
}

void GraphView::reveal(const Rect& at) {
  shown_.reveal(at);
  moves();
}

void GraphView::fit() {
  shown_.fit();
  moves();
  Q_EMIT zoomed();
}

void GraphView::fit_width() {
  shown_.fit_width(kSmallestRead);
  moves();
  Q_EMIT zoomed();
}

QPointF GraphView::middle() const { return QRectF(viewport()->rect()).center(); }

void GraphView::zoom(double factor, QPointF at) {
  shown_.zoom(factor, {at.x(), at.y()});
  moves();
  Q_EMIT zoomed();
}

void GraphView::moves() {
  is_fresh_ = false;
  rest_.start();
  set_bars();
  viewport()->update();
  Q_EMIT moved();
}

// Bars count pixels of the window.
void GraphView::set_bars() {
  is_setting_bars_ = true;
  const auto set = [&](QScrollBar& bar, double content, int window, double origin) {
    const int length = static_cast<int>(std::ceil(content * shown_.scale()));
    bar.setRange(0, std::max(0, length - window));
    bar.setPageStep(window);
    bar.setSingleStep(24);
    bar.setValue(static_cast<int>(std::lround(origin * shown_.scale())));
  };
  set(*horizontalScrollBar(), scene_.width, viewport()->width(), shown_.origin().x);
  set(*verticalScrollBar(), scene_.height, viewport()->height(), shown_.origin().y);
  is_setting_bars_ = false;
  if (minimap_ != nullptr) minimap_->show_part(shown_);
}

void GraphView::scrollContentsBy(int /*dx*/, int /*dy*/) {
  if (is_setting_bars_) return;
  shown_.move_to({horizontalScrollBar()->value() / shown_.scale(),
                  verticalScrollBar()->value() / shown_.scale()});
  is_fresh_ = false;
  if (minimap_ != nullptr) minimap_->show_part(shown_);
  rest_.start();
  viewport()->update();
  Q_EMIT moved();
}

void GraphView::resizeEvent(QResizeEvent* /*event*/) {
  shown_.set_window(
      {static_cast<double>(viewport()->width()), static_cast<double>(viewport()->height())});
  if (is_fresh_) shown_.reset();
  set_bars();
}

bool GraphView::is_worth_painting(const Item& item) const {
  const double scale = shown_.scale();
  if (const auto* label = std::get_if<Label>(&item.shape)) {
    if (rest_.isActive() && scale < kTextWhileMoving) return false;
    return label->size * scale >= kSmallestText;
  }
  if (const auto* s = std::get_if<Segment>(&item.shape))
    return std::hypot(s->to.x - s->from.x, s->to.y - s->from.y) * scale >= kSmallestStroke;
  return true;
}

void GraphView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing, !rest_.isActive());
  painter.fillRect(viewport()->rect(), viz::to_qt((*theme_)[Role::Background]));
  painter.scale(shown_.scale(), shown_.scale());
  painter.translate(-shown_.origin().x, -shown_.origin().y);
  ScenePainter paint(painter, *theme_, shown_.scale());
  painted_ = 0;
  for (const std::size_t i : index_.touching(shown_.visible())) {
    if (!is_worth_painting(scene_.items[i])) continue;
    paint.paint(scene_.items[i]);
    ++painted_;
  }
  for (std::size_t i = scene_.items.size() - marked_; i < scene_.items.size(); ++i)
    paint.paint(scene_.items[i]);
}

const Item* GraphView::item_at(QPointF window) const {
  const Point at = shown_.to_scene({window.x(), window.y()});
  const double reach = kReach / shown_.scale();
  const auto near_by = index_.touching({at.x - reach, at.y - reach, 2 * reach, 2 * reach});
  for (const std::size_t i : near_by | std::views::reverse) {
    const Item& item = scene_.items[i];
    if (item.tooltip.empty()) continue;
    const auto* area = std::get_if<Area>(&item.shape);
    const auto* segment = std::get_if<Segment>(&item.shape);
    if (area != nullptr && to_qt(area->at).contains(at.x, at.y)) return &item;
    if (segment != nullptr && is_near(*segment, at, reach)) return &item;
  }
  return nullptr;
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  is_dragged_ = false;
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0) return;
  const QPointF way = event->position() - pressed_;
  is_dragged_ = is_dragged_ || way.manhattanLength() >= QApplication::startDragDistance();
  if (!is_dragged_) return;
  const QPointF step = (event->position() - last_) / shown_.scale();
  last_ = event->position();
  shown_.move_to({shown_.origin().x - step.x(), shown_.origin().y - step.y()});
  viewport()->setCursor(Qt::ClosedHandCursor);
  moves();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  viewport()->unsetCursor();
  if (is_dragged_ || event->button() != Qt::LeftButton) return;
  const Item* item = item_at(event->position());
  Q_EMIT chosen(item == nullptr ? QString() : QString::fromStdString(item->id));
}

void GraphView::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0)
    return QAbstractScrollArea::wheelEvent(event);
  zoom(std::pow(kStep, event->angleDelta().y() / 120.0), event->position());
  event->accept();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return Q_EMIT walked(Direction::Up);
    case Qt::Key_Down:
      return Q_EMIT walked(Direction::Down);
    case Qt::Key_Left:
      return Q_EMIT walked(Direction::Left);
    case Qt::Key_Right:
      return Q_EMIT walked(Direction::Right);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return Q_EMIT entered();
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

bool GraphView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Item* item = item_at(help->pos());
  show_tooltip(help->globalPos(), item == nullptr ? std::string() : item->tooltip, this);
  return true;
}

}  // namespace pet::viz
