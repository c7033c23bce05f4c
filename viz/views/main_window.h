// The window: pages in the middle, docks around them, one list of actions. It asks by the functions
// that it is handed and shows what comes back; it computes nothing itself.
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "viz/session/jobs.h"
#include "viz/views/opened.h"
#include "viz/views/start_page.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTreeWidget;

namespace pet::viz {

class Actions;
class Palette;
class GraphPage;
class RegionsPage;

// What the window asks of whoever made it.
struct WindowPorts {
  std::function<Result<OpenedPair>(const std::filesystem::path&, const std::stop_token&)> open_case;
  std::function<Result<OpenedPair>(const std::string& example, const std::stop_token&)>
      open_example;
  std::function<Result<OpenedModel>(const std::filesystem::path&, const std::stop_token&)>
      open_model;
  std::function<Result<InspectedTerms>(const OpenedPair&, std::size_t output, const Shape& position,
                                       const std::stop_token&)>
      terms;
  std::vector<StartPage::Card> cards;
};

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowPorts ports);
  ~MainWindow() override;

  void open_file(const std::filesystem::path& path);  // a model where it ends in .onnx, else a case
  const Actions& actions() const { return *actions_; }
  RegionsPage& regions() { return *regions_; }
  GraphPage& graph() { return *graph_; }
  const Scene& scene() const;      // of the page in front; empty where it has none
  std::string state() const;       // what is shown, as one line of JSON
  std::string last_words() const;  // of the job that failed last
  bool is_idle() const { return jobs_->is_idle(); }

 Q_SIGNALS:
  void idle();     // no job runs
  void changed();  // what state() tells

 private:
  void make_actions();
  void make_docks();
  void make_pages();
  void make_menus();
  void open_by_dialog();
  // As a job; the newest one wins.
  template <class Opened>
  void open(std::string title, std::function<Result<Opened>(const std::stop_token&)> ask,
            void (MainWindow::*deliver)(const Opened&));
  void open_example(const QString& id);
  void show_pair(const OpenedPair& pair);
  void show_model(const OpenedModel& opened);
  void jobs_changed();
  void cancel_job();
  void ask_why(std::size_t output, const Shape& position);
  void reset_layout();
  void use_theme(bool is_dark);
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

  const WindowPorts ports_;
  std::optional<OpenedPair> pair_;  // that is shown
  std::set<JobId> told_;            // jobs whose failure stands in the log
  bool is_dark_ = false;
  std::unique_ptr<Jobs> jobs_;
  Actions* actions_ = nullptr;
  Palette* palette_ = nullptr;
  QTabWidget* pages_ = nullptr;
  StartPage* start_ = nullptr;
  GraphPage* graph_ = nullptr;
  RegionsPage* regions_ = nullptr;
  QTreeWidget* outline_ = nullptr;
  QPlainTextEdit* inspector_ = nullptr;
  QPlainTextEdit* why_ = nullptr;
  QTreeWidget* job_list_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  QLabel* status_ = nullptr;
};

}  // namespace pet::viz
