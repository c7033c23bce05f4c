#include "viz/views/main_window.h"

#include <QApplication>
#include <QChildEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QMenuBar>
#include <QMetaObject>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <nlohmann/json.hpp>

#include "viz/views/actions.h"
#include "viz/views/boxes_page.h"
#include "viz/views/compare_page.h"
#include "viz/views/correction_page.h"
#include "viz/views/export_page.h"
#include "viz/views/graph_page.h"
#include "viz/views/job_list.h"
#include "viz/views/mutants_page.h"
#include "viz/views/outline.h"
#include "viz/views/palette.h"
#include "viz/views/post_opt_page.h"
#include "viz/views/profile_page.h"
#include "viz/views/qt_theme.h"
#include "viz/views/regions_page.h"
#include "viz/views/report_page.h"
#include "viz/views/rounds_page.h"
#include "viz/views/run_dialog.h"
#include "viz/views/search_control.h"
#include "viz/views/search_page.h"
#include "viz/views/start_page.h"
#include "viz/views/timeline.h"
#include "viz/views/verdicts_page.h"
#include "viz/words/events.h"
#include "viz/words/terms.h"

namespace pet::viz {
namespace {

constexpr int kMostLines = 10'000;  // of the log

// What those hear who do not see it.
QString name_of(const QWidget* widget) {
  if (widget == nullptr) return {};
  return widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
}

QPlainTextEdit* text_pane(const QString& name) {
  auto* pane = new QPlainTextEdit;
  pane->setReadOnly(true);
  pane->setAccessibleName(name);
  pane->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  return pane;
}

}  // namespace

MainWindow::MainWindow(WindowPorts ports) : ports_(std::move(ports)) {
  setWindowTitle(tr("PET workbench"));
  resize(1280, 800);
  setAcceptDrops(true);
  const auto post = [this](std::function<void()> what) {
    QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
  };
  jobs_ = std::make_unique<Jobs>(post, [this] { jobs_changed(); });
  make_actions();
  make_pages();
  make_docks();
  make_menus();
  use_theme(false);
  load_recent();
  load_left();
  connect(this, &MainWindow::changed, this, &MainWindow::keep_soon);
  connect(qApp, &QApplication::focusChanged, this, &MainWindow::changed);
}

// What goes away with it takes the focus along: nobody is told any more.
MainWindow::~MainWindow() {
  blockSignals(true);
  for (QDockWidget* dock : docks_) dock->disconnect(this);
}

void MainWindow::make_actions() {
  actions_ = new Actions(this);
  make_file_actions();
  actions_->add(
      {"file.start", tr("&Start page"), tr("Show the examples"), QKeySequence("Ctrl+Home")},
      [this] { tabs_->setCurrentWidget(start_), start_->focus_first(); });
  actions_->add({"session.save", tr("&Save session"),
                 tr("Keep what is open and how it is looked at in a file"), QKeySequence::Save},
                [this] {
                  if (session_file_.empty()) return save_by_dialog();
                  save_session(session_file_);
                });
  actions_->add({"session.save_as", tr("Save session &as …"),
                 tr("Keep what is open and how it is looked at in another file"),
                 QKeySequence("Ctrl+Shift+S")},
                [this] { save_by_dialog(); });
  actions_->add({"file.page", tr("Save this &page …"),
                 tr("Write what the page shows: its picture as SVG or PNG, its tables as CSV or "
                    "JSON"),
                 QKeySequence("Ctrl+P")},
                [this] { write_page_by_dialog(); });
  actions_->add({"session.left",
                 tr("Restore what was &left"),
                 tr("Go on from what a window had open that was ended without being closed"),
                 {}},
                [this] { restore_newest_left(); });
  actions_->add({"file.quit", tr("&Quit"), tr("Close the window; running jobs are cancelled"),
                 QKeySequence::Quit},
                [this] { close(); });
  actions_->add(
      {"jobs.cancel", tr("&Cancel the selected job"),
       tr("Stop the job that is selected under Jobs, or all that run"), QKeySequence("Ctrl+.")},
      [this] { cancel_job(); });
  actions_->add({"view.light", tr("&Light"), tr("Dark on light")}, [this] { use_theme(false); });
  actions_->add({"view.dark", tr("&Dark"), tr("Light on dark")}, [this] { use_theme(true); });
  actions_->add(
      {"view.reset", tr("&Reset layout"), tr("Put all panes where they were at first"), {}},
      [this] { reset_layout(); });
  actions_->add({"help.commands", tr("&Commands …"), tr("Find a command by its name"),
                 QKeySequence("Ctrl+Shift+P")},
                [this] { palette_->open_fresh(); });
  for (const FigureChoice& figure : ports_.figures)
    actions_->add({figure.id, figure.title, tr("Open what this figure of the paper shows"), {}},
                  [this, session = figure.session] {
                    forget_session();
                    follow(session, session.source.name);
                  });
  palette_ = new Palette(*actions_, this);
}

void MainWindow::make_pages() {
  tabs_ = new QTabWidget;
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Pages"));
  tabs_->tabBar()->setAccessibleName(tr("Pages"));
  start_ = new StartPage(ports_.cards, *actions_);
  graph_ = new GraphPage(*jobs_);
  regions_ = new RegionsPage(ports_, *jobs_);
  search_ = new SearchControl(this);
  search_page_ = new SearchPage(*search_);
  mutants_ = new MutantsPage(*search_);
  auto* boxes = new BoxesPage(ports_, *jobs_);
  correction_page_ = new CorrectionPage(ports_.inspect, *jobs_);
  verdicts_ = new VerdictsPage(ports_.cross_checker, *jobs_);
  auto* profile = new ProfilePage(*jobs_, ports_.profile);
  auto* exporting = new ExportPage(ports_.exporting, *jobs_, *search_);
  auto* rounds = new RoundsPage(*search_);
  report_page_ = new ReportPage;
  compare_ = new ComparePage(ports_.open_model, *jobs_);
  auto* passes = new PostOptPage(ports_.exporting.passes, *jobs_);
  for (Page* page : std::initializer_list<Page*>{start_, graph_, search_page_, mutants_, regions_,
                                                 boxes, correction_page_, verdicts_, profile,
                                                 exporting, rounds, report_page_, compare_, passes})
    add_page(page);
  setCentralWidget(tabs_);
  status_ = new QLabel(tr("nothing is open"));
  status_->setTextFormat(Qt::PlainText);
  statusBar()->addPermanentWidget(status_);
  connect(start_, &StartPage::example_chosen, this, &MainWindow::open_example);
  connect(start_, &StartPage::file_chosen, this,
          [this](const QString& path) { open_file(path.toStdString()); });
  connect(start_, &StartPage::left_wanted, this,
          [this](const QString& file) { restore_left(file.toStdString()); });
  connect(start_, &StartPage::left_unwanted, this,
          [this](const QString& file) { forget_left(file.toStdString()); });
  connect(search_page_, &SearchPage::run_wanted, this, &MainWindow::ask_for_search);
  connect(search_page_, &SearchPage::walk_wanted, this, &MainWindow::walk_again);
  connect(search_page_, &SearchPage::mutant_wanted, this, &MainWindow::look_at_mutant);
  connect(exporting, &ExportPage::comparison_wanted, this,
          [this, profile](const std::filesystem::path& written) {
            tabs_->setCurrentWidget(profile);
            profile->compare_with(written);
          });
  connect(exporting, &ExportPage::written, this, [this](const ExportedFile& file) {
    compare_->offer(file.written.path, "It was proved before it was written: see Export.");
  });
  connect(exporting, &ExportPage::changes_wanted, this,
          [this] { tabs_->setCurrentWidget(compare_); });
  connect(correction_page_, &CorrectionPage::applied, this, &MainWindow::show_corrected);
  connect(mutants_, &MutantsPage::wanted, this, &MainWindow::look_at_mutant);
  connect(rounds, &RoundsPage::wanted, this, &MainWindow::look_at_mutant);
  connect(report_page_, &ReportPage::pair_wanted, this, &MainWindow::open_reported);
  connect(search_, &SearchControl::replaced, this, [this] { following_.reset(); });
  connect(search_, &SearchControl::status_changed, this, [this] {
    settle_soon();
    Q_EMIT changed();
  });
  connect(tabs_, &QTabWidget::currentChanged, this, [this] {
    if (&in_front() == start_) load_left();
    in_front().bring_up();
    Q_EMIT changed();
  });
}

void MainWindow::add_page(Page* page) {
  pages_.push_back(page);
  tabs_->addTab(page, page->title());
  const auto number = pages_.size();
  actions_->add({"page." + page->title().toLower(), tr("Show %1").arg(page->title()),
                 tr("Bring the page %1 to the front").arg(page->title()),
                 number < 10 ? QKeySequence(QString("Ctrl+%1").arg(number)) : QKeySequence()},
                [this, page] { tabs_->setCurrentWidget(page); });
  page->add_actions(*actions_);
  connect(page, &Page::selected, this,
          [this](const QString& words) { inspector_->setPlainText(words); });
  connect(page, &Page::changed, this, &MainWindow::changed, Qt::QueuedConnection);
}

Page& MainWindow::in_front() const { return *static_cast<Page*>(tabs_->currentWidget()); }

void MainWindow::make_docks() {
  const auto dock = [this](const QString& id, const QString& title, QWidget* widget,
                           Qt::DockWidgetArea area) {
    auto* out = new QDockWidget(title, this);
    docks_.push_back(out);
    out->setObjectName(id);
    out->setWidget(widget);
    addDockWidget(area, out);
    connect(out, &QDockWidget::visibilityChanged, this, &MainWindow::keep_soon);
    QAction* shown = actions_->add({"view." + id,
                                    tr("Show or hide %1").arg(title),
                                    tr("Open or close the pane %1").arg(title),
                                    {}},
                                   [out] { out->toggleViewAction()->trigger(); });
    shown->setCheckable(true);
    connect(out->toggleViewAction(), &QAction::toggled, shown, &QAction::setChecked);
    return out;
  };
  outline_ = new OutlineTree;
  inspector_ = text_pane(tr("Inspector"));
  why_ = text_pane(tr("Why: the terms that differ at a position"));
  job_list_ = new JobList(*jobs_);
  log_ = text_pane(tr("Log"));
  log_->setMaximumBlockCount(kMostLines);
  dock("outline", tr("Outline"), outline_, Qt::LeftDockWidgetArea);
  dock("inspector", tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
  dock("why", tr("Why"), why_, Qt::RightDockWidgetArea);
  auto* timeline =
      dock("timeline", tr("Timeline"), new Timeline(*search_), Qt::BottomDockWidgetArea);
  auto* jobs = dock("jobs", tr("Jobs"), job_list_, Qt::BottomDockWidgetArea);
  auto* log = dock("log", tr("Log"), log_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(timeline, jobs);
  tabifyDockWidget(jobs, log);
  connect(regions_, &RegionsPage::position_chosen, this, &MainWindow::ask_why);
  connect(graph_, &GraphPage::node_chosen, outline_, &OutlineTree::show_node);
  connect(outline_, &OutlineTree::node_wanted, this, [this](NodeId id) {
    tabs_->setCurrentWidget(graph_);
    graph_->show_node(id);
  });
  reset_layout();
}

void MainWindow::make_menus() {
  const auto menu = [this](const QString& title, std::initializer_list<const char*> ids) {
    QMenu* out = menuBar()->addMenu(title);
    out->setToolTipsVisible(true);
    for (const char* id : ids) out->addAction(actions_->at(id));
    return out;
  };
  menu(tr("&File"), {"file.open", "file.run", "file.build", "session.save", "session.save_as",
                     "file.page", "session.left", "file.start", "file.quit"});
  for (const Page* page : pages_) {
    if (page->actions().isEmpty()) continue;
    QMenu* of_page = menuBar()->addMenu(page->title());
    of_page->setToolTipsVisible(true);
    of_page->addActions(page->actions());
  }
  QMenu* view = menu(tr("&View"), {"view.light", "view.dark", "view.reset"});
  view->addSeparator();
  for (const Page* page : pages_) view->addAction(actions_->at("page." + page->title().toLower()));
  view->addSeparator();
  for (const QDockWidget* one : docks_) view->addAction(actions_->at("view." + one->objectName()));
  menu(tr("&Jobs"), {"jobs.cancel"});
  QMenu* help = menu(tr("&Help"), {"help.commands"});
  if (!ports_.figures.empty()) help->addSeparator();
  for (const FigureChoice& figure : ports_.figures) help->addAction(actions_->at(figure.id));
  // Whatever an action has done is told once it is done.
  for (QAction* action : actions_->all())
    connect(action, &QAction::triggered, this, &MainWindow::changed, Qt::QueuedConnection);
}

void MainWindow::reset_layout() {
  for (QDockWidget* one : docks_) {
    one->setFloating(false);
    one->show();
  }
  const auto by_id = [this](const char* id) { return findChild<QDockWidget*>(id); };
  addDockWidget(Qt::LeftDockWidgetArea, by_id("outline"));
  addDockWidget(Qt::RightDockWidgetArea, by_id("inspector"));
  addDockWidget(Qt::RightDockWidgetArea, by_id("why"));
  addDockWidget(Qt::BottomDockWidgetArea, by_id("timeline"));
  tabifyDockWidget(by_id("timeline"), by_id("jobs"));
  tabifyDockWidget(by_id("jobs"), by_id("log"));
  by_id("timeline")->raise();
  resizeDocks({by_id("outline"), by_id("inspector")}, {190, 240}, Qt::Horizontal);
  resizeDocks({by_id("timeline")}, {150}, Qt::Vertical);
}

void MainWindow::use_theme(bool is_dark) {
  is_dark_ = is_dark;
  const Theme& theme = is_dark ? Theme::dark() : Theme::light();
  QApplication::setPalette(palette_of(theme));
  for (Page* page : pages_) page->set_theme(theme);
}

const Scene& MainWindow::scene() const { return in_front().scene(); }

void MainWindow::show_opened(Page* in_front) {
  why_->clear();
  for (Page* page : pages_) page->show_opened(opened_);
  tabs_->setCurrentWidget(in_front);
  in_front->bring_up();
}

void MainWindow::show_model(const OpenedModel& opened) {
  const QString name = QString::fromStdString(opened.model->path.filename().string());
  setWindowTitle(tr("%1 - PET workbench").arg(name));
  opened_ = {std::make_shared<const OpenedModel>(opened), nullptr};
  search_->close();
  show_opened(graph_);
  graph_->setFocus();
  outline_->show_model(opened);
  inspector_->setPlainText(facts_of(opened));
  status_->setText(tr("%1: %2; %3 subprograms")
                       .arg(name, facts_of(opened))
                       .arg(opened.subprograms.classes.size()));
  note(status_->text());
}

void MainWindow::show_pair(const OpenedPair& pair) {
  opened_.model.reset();
  search_->close();
  show_mutant(pair);
}

void MainWindow::show_mutant(const OpenedPair& pair) {
  const QString name = QString::fromStdString(pair.name);
  setWindowTitle(tr("%1 - PET workbench").arg(name));
  opened_.pair = std::make_shared<const OpenedPair>(pair);
  correction_.reset();
  verdicts_->add(pair);
  show_opened(regions_);
  outline_->show_pair(pair);
  inspector_->setPlainText(regions_->headline());
  status_->setText(tr("%1: %2").arg(name, regions_->headline()));
  note(status_->text());
}

void MainWindow::show_corrected(const OpenedPair& pair, CorrectionWay way) {
  show_mutant(pair);
  correction_ = way;
}

void MainWindow::show_journal(const OpenedJournal& journal) {
  if (journal.model) {
    show_model(*journal.model);
  } else {
    opened_ = {};
    show_opened(search_page_);
  }
  const QString name = QString::fromStdString(journal.name);
  QString what = tr("Recorded in %1").arg(name);
  if (!journal.note.empty()) what += "; " + QString::fromStdString(journal.note);
  if (journal.model)
    what += tr("; a journal holds no nodes: Ctrl+Shift+R walks a subprogram again");
  search_->show(journal.entries, journal.config, what);
  journal_ = journal.content;
  follow(journal.more);
  tabs_->setCurrentWidget(search_page_);
  note(what);
}

// Somebody may be writing it.
void MainWindow::follow(const std::function<Result<std::vector<LogEntry>>()>& more) {
  constexpr int kMs = 500;
  following_.reset();
  if (!more) return;
  following_ = std::make_unique<QTimer>();
  connect(following_.get(), &QTimer::timeout, this, [this, more] {
    auto entries = more();
    if (entries && entries->empty()) return;
    if (entries) return search_->append(*std::move(entries));
    tell(QString::fromStdString(entries.error().message));
    following_->stop();
  });
  following_->start(kMs);
}

void MainWindow::walk_again(std::size_t subprogram) {
  if (!journal_ || !opened_.model) {
    statusBar()->showMessage(tr("Only a search that was opened from its journal, with its model"));
    return;
  }
  jobs_->start("open", "walking through subprogram " + std::to_string(subprogram),
               [this, subprogram, model = opened_.model,
                journal = journal_](const std::stop_token& stop) -> Result<Delivery> {
                 auto entries = ports_.searching.walk(*model, *journal, subprogram, stop);
                 if (!entries) return entries.error();
                 return Delivery([this, subprogram, journal, entries = *std::move(entries)] {
                   search_->show(entries, journal->header.config,
                                 tr("S%1 walked again, as its journal has it").arg(subprogram));
                 });
               });
}

void MainWindow::ask_for_search() {
  if (!opened_.model) {
    statusBar()->showMessage(tr("Open a model first: a search is of a model"));
    return;
  }
  RunRequest before = search_->request();
  auto journal = opened_.model->model->path;
  journal.replace_extension(".journal.jsonl");
  auto* dialog = new RunDialog(ports_.searching.targets, before, journal, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog] { begin_search(dialog->request(), dialog->goes_on()); });
  dialog->open();
}

void MainWindow::begin_search(const RunRequest& request, bool goes_on) {
  journal_.reset();
  search_->start([start = ports_.searching.start, model = opened_.model,
                  request](const RunWires& wires) { return start(*model, request, wires); },
                 request, goes_on);
  tabs_->setCurrentWidget(search_page_);
  findChild<QDockWidget*>("timeline")->raise();
}

void MainWindow::look_at_mutant(std::size_t row) {
  const SearchLog::MutantRow& mutant = search_->log().mutants()[row];
  steps_.clear();
  auto line = search_->log().line_of(mutant);
  if (!line) return tell(QString::fromStdString(line.error().message));
  open_mutant({mutant.subprogram, *std::move(line), search_->request().search});
}

void MainWindow::open_mutant(const SessionMutant& mutant) {
  if (!opened_.model) return give_up(tr("Without its model a mutant cannot be made again"));
  jobs_->start(
      "open", "making " + name_of(mutant.subprogram, mutant.line.back().lineage.id) + " again",
      [this, model = opened_.model, mutant](const std::stop_token& stop) -> Result<Delivery> {
        auto pair =
            ports_.searching.mutant(*model, mutant.config, mutant.subprogram, mutant.line, stop);
        if (!pair) return pair.error();
        return Delivery([this, model, mutant, pair = *std::move(pair)] {
          if (opened_.model != model) return;
          mutant_ = mutant;
          show_mutant(pair);
          const auto row = search_->log().row_of(mutant.subprogram, mutant.line.back().lineage.id);
          if (row) search_->select_mutant(row);
        });
      });
}

bool MainWindow::is_idle() const {
  return jobs_->is_idle() && !search_->is_running() && steps_.empty();
}

std::string MainWindow::state() const {
  const auto text = [](const QString& words) { return words.toStdString(); };
  nlohmann::ordered_json out{{"page", text(in_front().title())}, {"idle", is_idle()}};
  out.update(in_front().state());
  out["choices"] = in_front().choices();
  out.update({{"selected", text(inspector_->toPlainText())},
              {"why", text(why_->toPlainText())},
              {"theme", is_dark_ ? "dark" : "light"},
              {"focus", text(name_of(QApplication::focusWidget()))}});
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string MainWindow::last_words() const {
  std::string out = "nothing was opened";
  for (const Job& job : jobs_->list())
    if (job.state == JobState::Failed) out = job.said;
  return out;
}

// The oldest lines go; how many there were is said.
void MainWindow::note(const QString& line) {
  log_->appendPlainText(line);
  lines_ += static_cast<std::size_t>(line.count('\n')) + 1;
  if (lines_ > kMostLines)
    findChild<QDockWidget*>("log")->setWindowTitle(
        tr("Log: the last %1 of %2 lines").arg(kMostLines).arg(lines_));
}

void MainWindow::ask_why(std::size_t output, const Shape& position) {
  if (!opened_.pair) return;
  jobs_->start("why", "terms at " + pet::to_string(position),
               [this, pair = opened_.pair, output,
                position](const std::stop_token& stop) -> Result<Delivery> {
                 auto terms = ports_.terms(*pair, output, position, stop);
                 if (!terms) return terms.error();
                 return Delivery([this, position, terms = *std::move(terms)] {
                   why_->setPlainText(QString::fromStdString("at " + pet::to_string(position) +
                                                             "\n" + in_words(terms)));
                 });
               });
}

void MainWindow::jobs_changed() {
  job_list_->refresh();
  for (const Job& job : jobs_->list()) {
    if (job.state != JobState::Failed || !told_.insert(job.id).second) continue;
    const QString said = QString::fromStdString(job.said);
    if (steps_.empty())
      tell(said);
    else
      give_up(said);
  }
  verdicts_->jobs_changed();
  settle_soon();
  Q_EMIT changed();
}

// The selected one, else all that run.
void MainWindow::cancel_job() {
  if (search_->is_exporting()) search_->cancel_export();
  if (const auto selected = job_list_->selected()) return jobs_->cancel(*selected);
  for (const Job& job : jobs_->list()) jobs_->cancel(job.id);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Docks take the sizes that are asked for once they are laid out.
  if (!std::exchange(was_shown_, true))
    QMetaObject::invokeMethod(this, &MainWindow::reset_layout, Qt::QueuedConnection);
  if (tabs_->currentWidget() == start_) start_->focus_first();
}

// Qt makes the bars of panes that lie behind one another as they are needed.
void MainWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  if (event->type() != QEvent::ChildPolished) return;
  if (auto* of_panes = qobject_cast<QTabBar*>(event->child()))
    of_panes->setAccessibleName(tr("Panes"));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile())
    open_file(urls.front().toLocalFile().toStdString());
}

}  // namespace pet::viz
