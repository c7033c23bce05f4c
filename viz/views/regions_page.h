// Where two programs differ: the output by intervals, as pictures and as a table, in any rank.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/program/inspector.h"
#include "viz/geometry/lens.h"
#include "viz/geometry/region_scene.h"
#include "viz/geometry/theme.h"
#include "viz/models/box_table.h"

class QComboBox;
class QLabel;
class QTableView;

namespace pet::viz {

class SceneView;

class RegionsPage final : public QWidget {
  Q_OBJECT

 public:
  explicit RegionsPage(QWidget* parent = nullptr);

  void show_outputs(std::vector<InspectedOutput> outputs);
  void show_reason(const QString& why);  // nothing can be shown
  void set_theme(const Theme& theme);
  const Scene& scene() const;  // empty: nothing is shown
  QString headline() const;
  bool is_true_scale() const { return drawing_.scale == RegionDrawing::Scale::True; }

 public Q_SLOTS:
  void next_wrong() { step(1); }
  void previous_wrong() { step(-1); }
  void toggle_scale();
  void swap_plane();

 Q_SIGNALS:
  void box_chosen(const QString& words);                            // what the inspector says of it
  void position_chosen(std::size_t output, const Shape& position);  // one of a box

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    QuotientGrid grid;
    std::vector<std::string> names;
    Slices slices;
  };

  void build();
  void choose_output(int number);
  void fill_lens_choices(const QuotientGrid& grid);
  void choose_lens(int number);
  void show_grid(QuotientGrid grid);
  void choose_plane();
  void fill_plane_choices();
  void select(std::optional<std::size_t> box);
  void step(int direction);
  void draw();

  std::vector<InspectedOutput> outputs_;
  std::optional<Shown> shown_;
  std::vector<Lens> lenses_;  // those of the choice
  RegionDrawing drawing_;
  QLabel* headline_ = nullptr;
  QLabel* counts_ = nullptr;
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
