// Shows a scene: paints it, tells what was clicked, and says in a tooltip what stands under the
// pointer.
#pragma once

#include <QWidget>

#include "viz/geometry/scene.h"
#include "viz/geometry/theme.h"

namespace pet::viz {

class SceneView final : public QWidget {
  Q_OBJECT

 public:
  explicit SceneView(QWidget* parent = nullptr);

  void show_scene(Scene scene);
  const Scene& scene() const { return scene_; }
  void set_theme(const Theme& theme);

 Q_SIGNALS:
  void chosen(const QString& id);   // of the item that was clicked; empty: of none
  void hovered(const QString& id);  // of the item under the pointer, once it is another one

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void hover(const QString& id);
  const Item* item_at(QPointF point) const;  // the front one that has an id or a tooltip

  Scene scene_;
  QString hovered_;
  const Theme* theme_ = &Theme::light();
};

}  // namespace pet::viz
