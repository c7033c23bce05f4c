// A model as a graph: sets of linear operators are folded until they are opened by a click.
#pragma once

#include <QWidget>
#include <memory>
#include <set>

#include "core/onnx/model.h"
#include "viz/geometry/theme.h"
#include "viz/graph_layout/folded.h"

class QLabel;

namespace pet::viz {

class SceneView;

class GraphPage final : public QWidget {
  Q_OBJECT

 public:
  explicit GraphPage(QWidget* parent = nullptr);

  void show_model(std::shared_ptr<const Model> model, std::vector<std::optional<std::size_t>> sets);
  void set_theme(const Theme& theme);
  const Scene& scene() const;
  const QString& facts() const { return facts_; }

 public Q_SLOTS:
  void open_all();
  void fold_all();

 Q_SIGNALS:
  void chosen(const QString& words);  // what the inspector says of it

 private:
  void choose(const QString& id);
  void draw();
  QString words_of(const DrawnNode& node) const;

  std::shared_ptr<const Model> model_;
  std::vector<std::optional<std::size_t>> sets_;
  std::set<std::size_t> open_;
  FoldedGraph graph_;
  std::optional<std::string> selected_;
  QString facts_;
  QLabel* headline_ = nullptr;
  SceneView* view_ = nullptr;
};

}  // namespace pet::viz
