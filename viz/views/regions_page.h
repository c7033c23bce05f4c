// Where two programs differ: the output by intervals, as pictures and as a table, in any rank.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/program/inspector.h"
#include "viz/geometry/lens.h"
#include "viz/geometry/region_scene.h"
#include "viz/models/box_table.h"
#include "viz/views/page.h"
#include "viz/views/ports.h"

class QComboBox;
class QLabel;
class QTableView;

namespace pet::viz {

class Jobs;
class SceneView;

class RegionsPage final : public Page {
  Q_OBJECT

 public:
  RegionsPage(const WindowPorts& ports, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Regions"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;
  void show_output(const QString& name);  // REQUIRES: there is one of that name
  QString headline() const;
  QString truth() const;  // what a look at every element found; empty: nobody asked

  void show_outputs(std::vector<InspectedOutput> outputs);
  void next_wrong() { step(1); }
  void previous_wrong() { step(-1); }

 Q_SIGNALS:
  void position_chosen(std::size_t output, const Shape& position);  // one of a box

 protected:
  void refresh() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    QuotientGrid grid;
    std::vector<std::string> names;
    Slices slices;
  };

  void build();
  Region repaired() const;
  void show_reason(const QString& why);  // nothing can be shown
  void say_what_is_next(bool is_wrong);
  void toggle_scale();
  void swap_plane();
  void choose_output(int number);
  void fill_lens_choices(const QuotientGrid& grid);
  void choose_lens(int number);
  void show_grid(QuotientGrid grid);
  void choose_plane();
  void show_plane(const Plane& plane);  // REQUIRES: something is shown
  void select(std::optional<std::size_t> box);
  void step(int direction);
  void draw();
  void ask_for_truth();
  void tell_truth(const QuotientGrid& grid);

  const WindowPorts& ports_;
  Jobs& jobs_;
  std::map<std::size_t, InspectedTruth> truth_;  // by output, as far as somebody asked
  std::vector<InspectedOutput> outputs_;
  std::optional<Shown> shown_;
  std::vector<Lens> lenses_;  // those of the choice
  RegionDrawing drawing_;
  QLabel* headline_ = nullptr;
  QLabel* counts_ = nullptr;
  QLabel* truth_words_ = nullptr;
  QLabel* next_ = nullptr;  // what one may try
  const Actions* actions_ = nullptr;
  QComboBox* output_ = nullptr;
  QComboBox* shape_ = nullptr;
  QComboBox* rows_ = nullptr;
  QComboBox* columns_ = nullptr;
  QComboBox* scale_ = nullptr;
  SceneView* view_ = nullptr;
  QTableView* table_ = nullptr;
  BoxTable* boxes_ = nullptr;
};

}  // namespace pet::viz
