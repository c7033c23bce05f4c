// A model as a graph: sets of linear operators are folded until they are opened. One zooms, pans,
// finds nodes by their names and walks along edges.
#pragma once

#include <set>

#include "viz/graph_layout/folded.h"
#include "viz/graph_layout/walk.h"
#include "viz/views/page.h"

class QCheckBox;
class QLabel;
class QTableView;

namespace pet::viz {

class FindBar;
class GraphView;
class Jobs;
class TextTable;

class GraphPage final : public Page {
  Q_OBJECT

 public:
  explicit GraphPage(Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Graph"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

  // What is drawn, in the language of Graphviz; empty: nothing is.
  std::string dot() const;
  // Selects what is drawn of that node, and brings it into view.
  void show_node(NodeId id);

 Q_SIGNALS:
  void node_chosen(NodeId id);  // in the picture; of a set its first

 protected:
  void refresh() override;

 private:
  QTableView* make_table();
  void list_nodes();
  void add_moves(Actions& actions);
  void set_minimap(bool is_wanted);
  void open_all();
  void fold_all();
  void find(NodeId id);  // opens its set, too
  void choose(const QString& id);
  void walk(Direction direction);
  void toggle_selected();
  void select(std::optional<std::size_t> drawn);
  void go_to(std::size_t drawn);  // as a person does: brought into view, and the outline is told
  void draw();
  void show_drawing(GraphDrawing drawing);
  void ask_graphviz();
  std::optional<std::size_t> drawn_of(NodeId id) const;

  std::set<std::size_t> open_;
  Jobs& jobs_;
  FoldedGraph graph_;
  bool is_graphviz_ = false;  // who says where nodes stand
  std::size_t drawn_ = 0;     // how often it was drawn: a late answer is about another graph
  std::vector<Rect> places_;  // of its nodes
  std::optional<std::size_t> selected_;
  QLabel* headline_ = nullptr;
  QCheckBox* minimap_ = nullptr;
  FindBar* find_ = nullptr;
  GraphView* view_ = nullptr;
  TextTable* nodes_ = nullptr;
  QTableView* table_ = nullptr;
};

}  // namespace pet::viz
