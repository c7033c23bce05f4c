// A model as a graph: sets of linear operators are folded until they are opened by a click.
#pragma once

#include <set>

#include "viz/graph_layout/folded.h"
#include "viz/views/page.h"

class QLabel;

namespace pet::viz {

class SceneView;

class GraphPage final : public Page {
  Q_OBJECT

 public:
  explicit GraphPage(QWidget* parent = nullptr);

  QString title() const override { return tr("Graph"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 protected:
  void refresh() override;

 private:
  void open_all();
  void fold_all();
  void choose(const QString& id);
  void draw();
  QString words_of(const DrawnNode& node) const;

  std::set<std::size_t> open_;
  FoldedGraph graph_;
  std::optional<std::string> selected_;
  QLabel* headline_ = nullptr;
  SceneView* view_ = nullptr;
};

}  // namespace pet::viz
