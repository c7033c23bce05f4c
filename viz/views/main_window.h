// The window: pages in the middle, docks around them, one list of actions. It asks by the functions
// that it is handed and shows what comes back; it computes nothing itself.
#pragma once

#include <QMainWindow>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "viz/session/jobs.h"
#include "viz/session/kept_session.h"
#include "viz/session/recent_files.h"
#include "viz/session/report.h"
#include "viz/session/session_file.h"
#include "viz/views/ports.h"

class QDockWidget;
class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTimer;

namespace pet::viz {

class Actions;
class ComparePage;
class CorrectionPage;
class GraphPage;
class JobList;
class OutlineTree;
class Palette;
class ProfilePage;
class MutantsPage;
class Page;
class RegionsPage;
class ReportPage;
class SearchControl;
class SearchPage;
class StartPage;
class VerdictsPage;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowPorts ports);
  ~MainWindow() override;

  // What it is, its extension says: a model, a journal, a session, else a case. `sizes`: of what a
  // model leaves open; it is asked for the others.
  void open_file(const std::filesystem::path& path, const std::map<std::string, Dim>& sizes = {});
  void open_example(const QString& id);
  // A stored profile, whatever the file is called.
  void open_profile(const std::filesystem::path& path);
  // The open model beside that file, once nothing runs any more.
  void compare_with(const std::filesystem::path& file);
  // To the front once nothing runs any more. REQUIRES: one of page_names()
  void show_page(const QString& name);
  void tell_when_idle() {
    then([] {});
  }                                // idle() follows, whatever there is to be done before
  QStringList page_names() const;  // "start", "graph" ...
  QWidget& page() const;           // in front
  // Why what was asked for could not be opened; empty: it could.
  const std::string& trouble() const { return trouble_; }
  Session session() const;  // what is open and how it is looked at
  void save_session(const std::filesystem::path& path);
  // The page in front (viz/views/page_files.h).
  Status write_page(const std::filesystem::path& path, double scale = 1) const;
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
  void make_file_actions();
  void make_docks();
  void make_pages();
  void add_page(Page* page);
  QWidget* make_page_list();
  void make_menus();
  void open_by_dialog(const QString& title, const QString& filter);
  void open_source(const SessionSource& source);
  void open_model(const SessionSource& source);  // once its open sizes are known
  void read_model(const SessionSource& source);
  void ask_for_sizes(const SessionSource& source, const std::vector<std::string>& open);
  void ask_for_network();
  void build(const NetworkRequest& request);
  void load_recent();
  void remember(const std::filesystem::path& path);
  void tell(const QString& words);  // in the log and below
  void note(const QString& line);   // in the log alone
  // As a job; the newest one wins. A file that has another digest than `source` is an Error.
  template <class Opened>
  void open(SessionSource source,
            std::function<Result<Opened>(const std::filesystem::path&, const std::stop_token&)> ask,
            void (MainWindow::*deliver)(const Opened&));
  void open_mutant(const SessionMutant& mutant);
  // Steps that follow one another, each once nothing runs any more; what fails ends them.
  void then(std::function<void()> step);
  void settle();
  void settle_soon();  // never in the middle of what a job delivers
  void give_up(const QString& why);
  void forget_session();
  void restore(const std::filesystem::path& path);
  // Opens what it says, as steps. `name`: of its file, for messages.
  void follow(const Session& session, const std::string& name);
  // What this window keeps of itself, and what others left that were ended without being closed.
  void keep_soon();
  void keep();
  void load_left();
  void restore_newest_left();
  void restore_left(const std::filesystem::path& file);
  void forget_left(const std::filesystem::path& file);
  void restore_view(const Session& session);
  void save_by_dialog();
  void write_page_by_dialog();
  // The pages show what is open now, that one in front.
  void show_opened(Page* in_front);
  void show_pair(const OpenedPair& pair);    // by itself
  void show_mutant(const OpenedPair& pair);  // of the open model
  void show_corrected(const OpenedPair& pair, CorrectionWay way);
  void show_example(const OpenedExample& example);
  void show_journal(const OpenedJournal& journal);
  void follow(const std::function<Result<std::vector<LogEntry>>()>& more);
  void show_report(const Report& report);
  void show_profile(const StoredProfile& profile);
  std::filesystem::path beside_report(const QString& file) const;
  void open_reported(const QStringList& files);  // a case, or two models
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
  void childEvent(QChildEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

  const WindowPorts ports_;
  Opened opened_;
  std::shared_ptr<const JournalContent> journal_;  // of the search that is shown; else nothing
  SessionSource source_;                           // of what is open, and what was made of it
  std::optional<SessionMutant> mutant_;
  std::optional<CorrectionWay> correction_;
  std::filesystem::path session_file_;
  std::deque<std::function<void()>> steps_;
  std::string trouble_;
  RecentFiles recent_;
  std::optional<KeptSession> kept_;
  bool will_keep_ = false;
  bool has_told_of_keeping_ = false;
  std::set<JobId> told_;  // jobs whose failure stands in the log
  bool is_dark_ = false;
  bool was_shown_ = false;
  std::unique_ptr<QTimer> following_;  // looks whether a journal has grown
  std::unique_ptr<Jobs> jobs_;
  Actions* actions_ = nullptr;
  Palette* palette_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  std::vector<Page*> pages_;
  std::vector<QDockWidget*> docks_;
  StartPage* start_ = nullptr;
  ReportPage* report_page_ = nullptr;
  ProfilePage* profile_page_ = nullptr;
  std::filesystem::path report_folder_;
  GraphPage* graph_ = nullptr;
  RegionsPage* regions_ = nullptr;
  ComparePage* compare_ = nullptr;
  CorrectionPage* correction_page_ = nullptr;
  SearchControl* search_ = nullptr;
  SearchPage* search_page_ = nullptr;
  MutantsPage* mutants_ = nullptr;
  VerdictsPage* verdicts_ = nullptr;
  OutlineTree* outline_ = nullptr;
  QPlainTextEdit* inspector_ = nullptr;
  QPlainTextEdit* why_ = nullptr;
  JobList* job_list_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  std::size_t lines_ = 0;  // that were ever written there
  QLabel* status_ = nullptr;
};

}  // namespace pet::viz
