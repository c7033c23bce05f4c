// The search: an overview of the walk, and the tree of the subprogram that is looked at, as far as
// the cursor of the log. It is run, paused and stepped from here.
#pragma once

#include "viz/models/search_tree.h"
#include "viz/views/page.h"
#include "viz/views/search_control.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QTreeView;

namespace pet::viz {

class SceneView;

class SearchPage final : public Page {
  Q_OBJECT

 public:
  explicit SearchPage(SearchControl& search, QWidget* parent = nullptr);

  QString title() const override { return tr("Search"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 Q_SIGNALS:
  void walk_wanted(std::size_t subprogram);  // of a recorded search, node by node
  void run_wanted();                         // a person asks for a new search
  void mutant_wanted(std::size_t row);       // of the log: it is to be looked at

 protected:
  void refresh() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void replace();
  void move();
  void fill_subprograms();
  void choose_subprogram(std::size_t number);
  void follow_walk();
  void draw();
  void select_node(std::size_t node);
  std::optional<std::size_t> selected_node() const;

  SearchControl& search_;
  SearchTree model_;
  std::vector<std::size_t> walked_;  // nodes of the subprogram below the cursor
  std::size_t looked_ = 0;           // nodes of the log below the cursor, as of then
  std::size_t deepest_ = 0;          // of those that were ever walked
  bool follows_ = true;              // the subprogram that is walked, until another one is chosen
  QLabel* status_ = nullptr;
  QHBoxLayout* buttons_ = nullptr;
  QComboBox* subprogram_ = nullptr;
  SceneView* strip_ = nullptr;
  QTreeView* tree_ = nullptr;
};

}  // namespace pet::viz
