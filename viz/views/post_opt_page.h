// Post-optimisation (PET, section 6.3): the passes that tidy up the program with the open mutant in
// its places, one after another, before and after side by side.
#pragma once

#include <functional>

#include "core/program/passes/pass.h"
#include "viz/models/text_table.h"
#include "viz/session/jobs.h"
#include "viz/views/page.h"
#include "viz/words/side_by_side.h"

class QCheckBox;
class QLabel;
class QTableView;

namespace pet::viz {

class CompareView;

// A pass that was run on something, and what it changed.
struct PassRow {
  std::string pass;
  std::string where;                          // "whole program", "new part 2"
  std::shared_ptr<const SideBySide> changed;  // null: nothing
};

class PostOptPage final : public Page {
  Q_OBJECT

 public:
  using Passes =
      std::function<Result<std::vector<AppliedPass>>(const Opened&, const std::stop_token&)>;

  // REQUIRES: jobs outlives this
  PostOptPage(Passes passes, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Post-opt"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 protected:
  void refresh() override;

 private:
  void build();
  void deliver(const std::vector<PassRow>& rows);
  void list_passes();
  void say(const QString& headline);

  const Passes passes_;
  Jobs& jobs_;
  std::vector<PassRow> rows_;    // all; the table may show fewer
  std::vector<PassRow> listed_;  // by row of the table
  QLabel* headline_ = nullptr;
  QCheckBox* all_ = nullptr;
  TextTable* table_ = nullptr;
  QTableView* list_ = nullptr;
  CompareView* view_ = nullptr;
};

}  // namespace pet::viz
