// Two programs side by side: what is chosen in one is chosen in the other, both show the same part,
// and one goes from difference to difference. A table lists them.
#pragma once

#include <QWidget>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "viz/geometry/theme.h"
#include "viz/graph_layout/compared.h"
#include "viz/graph_layout/walk.h"
#include "viz/words/side_by_side.h"

class QLabel;
class QSplitter;
class QTableView;

namespace pet::viz {

class TextTable;
class GraphView;

class CompareView final : public QWidget {
  Q_OBJECT

 public:
  explicit CompareView(QWidget* parent = nullptr);

  void show_comparison(std::shared_ptr<const SideBySide> comparison);  // nullptr: nothing
  void set_theme(const Theme& theme);
  void set_folded(bool is_folded);  // all runs of unchanged nodes, but those that are opened
  void zoom_in();
  void zoom_out();
  void fit();

  // 1: the next difference, -1: the one before; it goes round.
  void step(int direction);
  void choose_change(std::size_t number);
  const Scene& scene() const;  // both pictures
  nlohmann::ordered_json state() const;

 Q_SIGNALS:
  void selected(const QString& words);
  void changed();

 private:
  struct Pane {
    QLabel* title = nullptr;
    GraphView* view = nullptr;
  };

  QSplitter* make_panes();
  Pane make_pane(const QString& name);
  void make_table();
  void list_changes();
  void connect_panes(const Pane& from, const Pane& to);
  void draw();
  void choose(const QString& id);
  void walk(const FoldedGraph& side, Direction direction);
  void toggle_run();
  void choose_cell(std::optional<std::size_t> cell);
  void mark(const std::vector<std::size_t>& cells);
  Rect around(const std::vector<std::size_t>& cells) const;

  std::shared_ptr<const SideBySide> comparison_;
  FoldRuns fold_;
  ComparedGraph graph_;
  std::vector<Rect> places_;  // of its cells, in both pictures
  std::optional<std::size_t> cell_, change_;
  Pane here_, there_;
  TextTable* changes_ = nullptr;
  QTableView* table_ = nullptr;
  mutable Scene both_;
};

}  // namespace pet::viz
