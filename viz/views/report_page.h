// What was written by others: the report of a run of pet optimize (where the time went, place by
// place) or of a batch of pet-verify (a row a pair).
#pragma once

#include <memory>

#include "viz/geometry/waterfall_scene.h"
#include "viz/models/text_table.h"
#include "viz/session/report.h"
#include "viz/views/page.h"

class QLabel;
class QSplitter;
class QTableView;

namespace pet::viz {

class SceneView;

class ReportPage final : public Page {
  Q_OBJECT

 public:
  explicit ReportPage(QWidget* parent = nullptr);

  QString title() const override { return tr("Report"); }
  void show_report(const Report& report);
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 Q_SIGNALS:
  // The files of a pair, as they were named when it was checked: to be opened.
  void pair_wanted(const QStringList& files);

 protected:
  void refresh() override {}  // it shows what it was given, whatever is open
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void show(const VerifyReport& report);
  void show(const RunRecord& run);
  void choose(int row);
  void draw();

  std::unique_ptr<const Report> report_;
  std::vector<FallingBar> bars_;
  struct Place {
    const PlaceRecord* what = nullptr;  // of the report
    std::size_t group = 0;              // of those that are alike: its bar
  };
  std::vector<Place> places_;  // by row, of a run
  TextTable* rows_ = nullptr;
  QLabel* headline_ = nullptr;
  QLabel* facts_ = nullptr;
  SceneView* picture_ = nullptr;
  QTableView* table_ = nullptr;
  QSplitter* both_ = nullptr;
};

}  // namespace pet::viz
