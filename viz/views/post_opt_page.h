// Post-optimisation (PET, section 6.3): the passes that tidy up the program with the open mutant in
// its places, or the best that a search has found so far, one after another, before and after side
// by side.
#pragma once

#include <functional>

#include "core/program/passes/pass.h"
#include "viz/models/text_table.h"
#include "viz/session/jobs.h"
#include "viz/views/export_ports.h"
#include "viz/views/page.h"
#include "viz/words/side_by_side.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace pet::viz {

class CompareView;
class SearchControl;

// A pass that was run on something, and what it changed.
struct PassRow {
  std::string pass;
  std::string where;                          // "whole program", "new part 2"
  std::shared_ptr<const SideBySide> changed;  // null: nothing
};

class PostOptPage final : public Page {
  Q_OBJECT

 public:
  // REQUIRES: jobs and the search outlive this
  PostOptPage(const ExportPorts& ports, Jobs& jobs, SearchControl& search,
              QWidget* parent = nullptr);

  QString title() const override { return tr("Post-opt"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

 protected:
  void refresh() override;
  void showEvent(QShowEvent* event) override;

 private:
  using Ask = std::function<Result<std::vector<AppliedPass>>(const std::stop_token&)>;

  void build();
  void ask_of_mutant();
  void ask_of_best();
  void follow_search();
  // `of`: what they are passes over, in words.
  void start(const QString& of, Ask ask);
  void deliver(const std::vector<PassRow>& rows, const QString& of);
  void list_passes();
  void say(const QString& headline);

  const ExportPorts ports_;
  Jobs& jobs_;
  SearchControl& search_;
  std::shared_ptr<const Plan> plan_;  // of the search, that was asked about last
  std::size_t asked_ = 0;             // how often: a late answer is about something else
  std::vector<PassRow> rows_;         // all; the table may show fewer
  std::vector<PassRow> listed_;       // by row of the table
  QLabel* headline_ = nullptr;
  QComboBox* of_ = nullptr;
  QCheckBox* all_ = nullptr;
  TextTable* table_ = nullptr;
  QTableView* list_ = nullptr;
  CompareView* view_ = nullptr;
};

}  // namespace pet::viz
