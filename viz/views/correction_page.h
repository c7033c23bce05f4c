// How the open pair can be corrected: each way or why it is closed, what its operators are there
// for, what it costs as modelled; applied, it is checked again before anything is called repaired.
#pragma once

#include "viz/models/repair_table.h"
#include "viz/session/jobs.h"
#include "viz/views/page.h"
#include "viz/views/ports.h"

class QComboBox;
class QLabel;
class QTableView;

namespace pet::viz {

class SceneView;

class CorrectionPage final : public Page {
  Q_OBJECT

 public:
  using Inspect = std::function<Result<OpenedPair>(const Graph& original, const Graph& mutant,
                                                   std::string name, const std::stop_token&)>;
  // REQUIRES: jobs outlive this
  CorrectionPage(Inspect inspect, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Correction"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

  // Does nothing where that way is not open. REQUIRES: it is known which are
  void apply_way(CorrectionWay way);

 Q_SIGNALS:
  // The original and the corrected program, checked again.
  void applied(const OpenedPair& pair, CorrectionWay way);

 protected:
  void refresh() override;

 private:
  void build();
  void show_repair(const Repair& repair);
  void choose(int way);
  void select(std::optional<std::size_t> part);  // of the chosen way; nothing: none
  void select_node(const QString& id);
  void draw();
  void apply();
  const RepairWay* chosen() const;  // nullptr: none is open

  const Inspect inspect_;
  Jobs& jobs_;
  Repair repair_;
  std::optional<std::size_t> part_;  // that is selected
  QLabel* headline_ = nullptr;
  QLabel* facts_ = nullptr;
  QComboBox* way_ = nullptr;
  RepairTable* parts_ = nullptr;
  QTableView* table_ = nullptr;
  SceneView* view_ = nullptr;
};

}  // namespace pet::viz
