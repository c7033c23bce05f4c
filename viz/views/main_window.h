// The window: pages in the middle, docks around them, one list of actions. It asks by the functions
// that it is handed and shows what comes back; it computes nothing itself.
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "viz/session/jobs.h"
#include "viz/views/ports.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTreeWidget;

namespace pet::viz {

class Actions;
class Palette;
class MutantsPage;
class Page;
class RegionsPage;
class SearchControl;
class SearchPage;
class StartPage;
class VerdictsPage;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowPorts ports);
  ~MainWindow() override;

  void open_file(const std::filesystem::path& path);  // a model where it ends in .onnx, else a case
  const Actions& actions() const { return *actions_; }
  RegionsPage& regions() { return *regions_; }
  VerdictsPage& verdicts() { return *verdicts_; }
  const Scene& scene() const;      // of the page in front; empty where it has none
  std::string state() const;       // what is shown, as one line of JSON
  std::string last_words() const;  // of the job that failed last
  SearchControl& search() { return *search_; }
  bool is_idle() const;

 Q_SIGNALS:
  void idle();     // no job runs
  void changed();  // what state() tells

 private:
  Page& in_front() const;
  void make_actions();
  void make_docks();
  void make_pages();
  void add_page(Page* page);
  void make_menus();
  void open_by_dialog();
  // As a job; the newest one wins.
  template <class Opened>
  void open(std::string title, std::function<Result<Opened>(const std::stop_token&)> ask,
            void (MainWindow::*deliver)(const Opened&));
  void open_example(const QString& id);
  // The pages show what is open now, that one in front.
  void show_opened(Page* in_front);
  void show_pair(const OpenedPair& pair);    // by itself
  void show_mutant(const OpenedPair& pair);  // of the open model
  void show_example(const OpenedExample& example);
  void show_journal(const OpenedJournal& journal);
  void begin_search(const RunRequest& request, bool goes_on);
  void ask_for_search();
  void walk_again(std::size_t subprogram);
  void look_at_mutant(std::size_t row);
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
  Opened opened_;
  std::shared_ptr<const JournalContent> journal_;  // of the search that is shown; else nothing
  std::set<JobId> told_;                           // jobs whose failure stands in the log
  bool is_dark_ = false;
  bool was_shown_ = false;
  std::unique_ptr<Jobs> jobs_;
  Actions* actions_ = nullptr;
  Palette* palette_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  std::vector<Page*> pages_;
  StartPage* start_ = nullptr;
  Page* graph_ = nullptr;
  RegionsPage* regions_ = nullptr;
  SearchControl* search_ = nullptr;
  SearchPage* search_page_ = nullptr;
  MutantsPage* mutants_ = nullptr;
  VerdictsPage* verdicts_ = nullptr;
  QTreeWidget* outline_ = nullptr;
  QPlainTextEdit* inspector_ = nullptr;
  QPlainTextEdit* why_ = nullptr;
  QTreeWidget* job_list_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  QLabel* status_ = nullptr;
};

}  // namespace pet::viz
