// Where boxes come from: cuts from operator to operator, and what a value is in each of its boxes.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "viz/geometry/boxes_scene.h"
#include "viz/geometry/splits_scene.h"
#include "viz/session/jobs.h"
#include "viz/views/page.h"
#include "viz/views/ports.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QTableView;

namespace pet::viz {

class SceneView;
class SummationTable;

class BoxesPage final : public Page {
  Q_OBJECT

 public:
  // Both outlive the page.
  BoxesPage(const WindowPorts& ports, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Boxes"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 protected:
  void refresh() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // What is looked at: a value of one program, or an output of both.
  struct Looked {
    std::optional<ValueOfPair> value;
    std::size_t output = 0;
    auto operator<=>(const Looked&) const = default;
  };
  struct Shown {
    Summation summation;
    std::vector<State> states;
    std::vector<std::string> names;
    QuotientGrid grid;
    Slices slices;
  };

  void build();
  void connect_all();
  void clear(const QString& why);
  void take_splits(InspectedSplits splits);
  void fill_values();
  void look_at(int number);
  void ask_for_sums(const Looked& looked);
  void take_sums(const Looked& looked, const InspectedSums& sums);
  std::vector<State> states_of(const Looked& looked, const Summation& summation) const;
  void choose_plane();
  void step_value(int direction);
  void bring_into_view();
  void step_cut(int direction);
  void trace(const CutOfValue& cut);
  void choose(const QString& id);
  void select_box(std::optional<std::size_t> box);
  void hover(const QString& id);
  void draw();
  void draw_boxes();
  bool shows_boxes() const;
  std::optional<SplitsOfPair> pair() const;
  const Looked* looked() const;  // null: nothing is

  const WindowPorts& ports_;
  Jobs& jobs_;
  std::optional<InspectedSplits> splits_;
  std::vector<Looked> values_;  // those of the choice
  std::map<Looked, InspectedSums> sums_;
  std::optional<Shown> shown_;
  std::optional<std::size_t> box_;      // that is selected
  std::optional<std::size_t> formula_;  // whose boxes are marked
  std::optional<CutOfValue> traced_;
  double width_ = 900;
  QLabel* headline_ = nullptr;
  QLabel* counts_ = nullptr;
  QComboBox* picture_ = nullptr;
  QComboBox* value_ = nullptr;
  QComboBox* rows_ = nullptr;
  QComboBox* columns_ = nullptr;
  QComboBox* scale_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  SceneView* view_ = nullptr;
  QTableView* table_ = nullptr;
  SummationTable* boxes_ = nullptr;
};

}  // namespace pet::viz
