// Writes a faster model: the mutant that is open, or the best that the search has found. Nothing is
// kept that is not proved, and what was not measured says so.
#pragma once

#include "viz/session/jobs.h"
#include "viz/views/export_ports.h"
#include "viz/views/page.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace pet::viz {

class SearchControl;

class ExportPage final : public Page {
  Q_OBJECT

 public:
  // REQUIRES: jobs and search outlive this
  ExportPage(ExportPorts ports, Jobs& jobs, SearchControl& search, QWidget* parent = nullptr);

  QString title() const override { return tr("Export"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme&) override {}
  nlohmann::ordered_json state() const override;

  void export_this(const std::filesystem::path& target);
  void export_best(const std::filesystem::path& target);

 Q_SIGNALS:
  void written(const ExportedFile& file);
  void changes_wanted();  // of what was written
  // The written file is to be seen beside the original.
  void comparison_wanted(const std::filesystem::path& written);

 protected:
  void refresh() override;

 private:
  void build();
  void judge();  // what can be exported, and why not
  void ask_where(const QString& suffix, std::function<void(const std::filesystem::path&)> then);
  void begin(const std::filesystem::path& target);
  void finish(const Result<ExportedFile>& what);
  void fill(const ExportedFile& file);

  const ExportPorts ports_;
  Jobs& jobs_;
  SearchControl& search_;
  std::optional<ExportedFile> written_;
  QLabel* headline_ = nullptr;
  QLabel* progress_ = nullptr;
  QLabel* this_words_ = nullptr;
  QLabel* best_words_ = nullptr;
  QPushButton* this_button_ = nullptr;
  QPushButton* best_button_ = nullptr;
  QPushButton* compare_ = nullptr;
  QPushButton* changes_ = nullptr;
  QTableWidget* facts_ = nullptr;
};

}  // namespace pet::viz
