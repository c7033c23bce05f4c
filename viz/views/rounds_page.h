// Rounds and what each of them kept (PET, Algorithm 2): columns by subprogram, bands by round, the
// plan marked. As far as the cursor of the search's log.
#pragma once

#include "viz/models/text_table.h"
#include "viz/session/rounds.h"
#include "viz/views/page.h"
#include "viz/views/search_control.h"

class QLabel;
class QTableView;

namespace pet::viz {

class SceneView;

class RoundsPage final : public Page {
  Q_OBJECT

 public:
  explicit RoundsPage(SearchControl& search, QWidget* parent = nullptr);

  QString title() const override { return tr("Rounds"); }
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 Q_SIGNALS:
  void wanted(std::size_t row);  // of the log: it is to be made again and looked at

 protected:
  void refresh() override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void search_moved();
  void draw();
  void choose(std::size_t mutant);
  void list_cards();
  QString headline() const;

  SearchControl& search_;
  std::vector<RoundsOfSubprogram> rounds_;
  std::vector<std::size_t> mutants_;  // by row of the table: rows of the log
  TextTable* rows_ = nullptr;
  bool is_behind_ = true;  // the search went on while another page was in front
  QLabel* headline_ = nullptr;
  SceneView* picture_ = nullptr;
  QTableView* table_ = nullptr;
};

}  // namespace pet::viz
