// The verdicts of several checks beside each other: whether they agree, on what is open and on what
// was open before, and whether they notice errors that are planted.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "viz/models/verdict_table.h"
#include "viz/session/jobs.h"
#include "viz/views/page.h"

class QLabel;
class QSpinBox;
class QTableView;
class QVBoxLayout;

namespace pet::viz {

class VerdictDelegate;

class VerdictsPage final : public Page {
  Q_OBJECT

 public:
  // REQUIRES: jobs outlive this
  VerdictsPage(std::shared_ptr<CrossChecker> checker, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Verdicts"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  nlohmann::ordered_json state() const override;
  const CrossChecks& checks() const { return checks_; }

  // A row for each of its outputs, unchecked, unless they are there.
  void add(const OpenedPair& pair);
  void check_all();
  void check_selected();
  void plant_errors();  // in the selected pair
  // The selected pair as a case in that file, and the command that checks it in the clipboard.
  void reproduce_to(const std::filesystem::path& path);
  void jobs_changed();  // what was cancelled is not gone on with

 Q_SIGNALS:
  void row_chosen(std::size_t pair, std::size_t output);  // of checks()

 protected:
  void refresh() override;

 private:
  void build();
  void add_line_of_buttons(QVBoxLayout& all, const std::vector<QAction*>& actions);
  void ask_next();
  void plant(const std::vector<PlantedPair>& planted, const std::string& name);
  void reproduce();
  void told();  // something is known that was not before
  void tell_selected();
  std::optional<VerdictTable::Row> selected_row() const;
  void select(const VerdictTable::Row& row);

  const std::shared_ptr<CrossChecker> checker_;
  Jobs& jobs_;
  CrossChecks checks_;
  std::optional<JobId> running_;  // the question that is being asked
  std::size_t plantings_ = 0;
  VerdictTable* rows_ = nullptr;
  VerdictDelegate* delegate_ = nullptr;
  QLabel* headline_ = nullptr;
  QLabel* counts_ = nullptr;
  QLabel* done_ = nullptr;  // what an action came to
  QSpinBox* seconds_ = nullptr;
  QTableView* table_ = nullptr;
};

}  // namespace pet::viz
