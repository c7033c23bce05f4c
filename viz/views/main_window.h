// The window: pages in the middle, docks around them, one list of actions. It asks by the functions
// that it is handed and shows what comes back; it computes nothing itself.
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "core/program/inspector.h"
#include "viz/session/jobs.h"
#include "viz/views/start_page.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTreeWidget;

namespace pet::viz {

class Actions;
class Palette;
class RegionsPage;

// A pair of programs that was opened.
struct OpenedPair {
  std::string name;
  std::vector<InspectedOutput> outputs;
  std::string original, mutant;  // as text
};

// What the window asks of whoever made it.
struct WindowPorts {
  std::function<Result<OpenedPair>(const std::filesystem::path&, const std::stop_token&)> open_case;
  std::function<Result<OpenedPair>(const std::string& example, const std::stop_token&)>
      open_example;
  std::vector<StartPage::Card> cards;
};

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowPorts ports);
  ~MainWindow() override;

  void open_file(const std::filesystem::path& path);
  const Actions& actions() const { return *actions_; }
  RegionsPage& regions() { return *regions_; }
  std::string last_words() const;  // of the job that failed last
  bool is_idle() const { return jobs_->is_idle(); }

 Q_SIGNALS:
  void idle();  // no job runs

 private:
  void make_actions();
  void make_docks();
  void make_pages();
  void make_menus();
  void open_by_dialog();
  void open_example(const QString& id);
  void show_pair(const OpenedPair& pair);
  void jobs_changed();
  void reset_layout();
  void use_theme(bool is_dark);
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

  const WindowPorts ports_;
  std::unique_ptr<Jobs> jobs_;
  Actions* actions_ = nullptr;
  Palette* palette_ = nullptr;
  QTabWidget* pages_ = nullptr;
  StartPage* start_ = nullptr;
  RegionsPage* regions_ = nullptr;
  QTreeWidget* outline_ = nullptr;
  QPlainTextEdit* inspector_ = nullptr;
  QTreeWidget* job_list_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  QLabel* status_ = nullptr;
};

}  // namespace pet::viz
