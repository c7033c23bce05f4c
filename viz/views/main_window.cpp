#include "viz/views/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QLabel>
#include <QMenuBar>
#include <QMetaObject>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabWidget>
#include <QTreeWidget>
#include <nlohmann/json.hpp>

#include "core/onnx/file_bytes.h"
#include "core/util/printable.h"
#include "viz/views/actions.h"
#include "viz/views/boxes_page.h"
#include "viz/views/correction_page.h"
#include "viz/views/export_page.h"
#include "viz/views/graph_page.h"
#include "viz/views/mutants_page.h"
#include "viz/views/outline.h"
#include "viz/views/palette.h"
#include "viz/views/profile_page.h"
#include "viz/views/qt_theme.h"
#include "viz/views/regions_page.h"
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

QString state_in_words(const Job& job) {
  switch (job.state) {
    case JobState::Running:
      return MainWindow::tr("running");
    case JobState::Cancelled:
      return MainWindow::tr("cancelled");
    case JobState::Done:
      return MainWindow::tr("done");
    case JobState::Failed:
      return QString::fromStdString(job.said);
  }
  return {};
}

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
  connect(qApp, &QApplication::focusChanged, this, &MainWindow::changed);
}

// What goes away with it takes the focus along: nobody is told any more.
MainWindow::~MainWindow() { blockSignals(true); }

void MainWindow::make_actions() {
  actions_ = new Actions(this);
  actions_->add({"file.open", tr("&Open …"),
                 tr("Open a model (ONNX), a case (two programs in one text file), the journal "
                    "of a search, or a session"),
                 QKeySequence::Open},
                [this] { open_by_dialog(); });
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
  palette_ = new Palette(*actions_, this);
}

void MainWindow::make_pages() {
  tabs_ = new QTabWidget;
  tabs_->setDocumentMode(true);
  start_ = new StartPage(ports_.cards, *actions_);
  graph_ = new GraphPage;
  regions_ = new RegionsPage;
  search_ = new SearchControl(this);
  search_page_ = new SearchPage(*search_);
  mutants_ = new MutantsPage(*search_);
  auto* boxes = new BoxesPage(ports_, *jobs_);
  correction_page_ = new CorrectionPage(ports_.inspect, *jobs_);
  verdicts_ = new VerdictsPage(ports_.cross_checker, *jobs_);
  auto* profile = new ProfilePage(*jobs_, ports_.profile);
  auto* exporting = new ExportPage(ports_.exporting, *jobs_, *search_);
  for (Page* page :
       std::initializer_list<Page*>{start_, graph_, search_page_, mutants_, regions_, boxes,
                                    correction_page_, verdicts_, profile, exporting})
    add_page(page);
  setCentralWidget(tabs_);
  status_ = new QLabel(tr("nothing is open"));
  status_->setTextFormat(Qt::PlainText);
  statusBar()->addPermanentWidget(status_);
  connect(start_, &StartPage::example_chosen, this, &MainWindow::open_example);
  connect(search_page_, &SearchPage::run_wanted, this, &MainWindow::ask_for_search);
  connect(search_page_, &SearchPage::walk_wanted, this, &MainWindow::walk_again);
  connect(search_page_, &SearchPage::mutant_wanted, this, &MainWindow::look_at_mutant);
  connect(exporting, &ExportPage::comparison_wanted, this,
          [this, profile](const std::filesystem::path& written) {
            tabs_->setCurrentWidget(profile);
            profile->compare_with(written);
          });
  connect(correction_page_, &CorrectionPage::applied, this, &MainWindow::show_corrected);
  connect(mutants_, &MutantsPage::wanted, this, &MainWindow::look_at_mutant);
  connect(search_, &SearchControl::status_changed, this, [this] {
    settle_soon();
    Q_EMIT changed();
  });
  connect(tabs_, &QTabWidget::currentChanged, this, [this] {
    in_front().bring_up();
    Q_EMIT changed();
  });
  // Whatever an action has done is told once it is done.
  for (QAction* action : actions_->all())
    connect(action, &QAction::triggered, this, &MainWindow::changed, Qt::QueuedConnection);
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
    out->setObjectName(id);
    out->setWidget(widget);
    addDockWidget(area, out);
    return out;
  };
  outline_ = new QTreeWidget;
  outline_->setHeaderHidden(true);
  outline_->setAccessibleName(tr("Outline"));
  inspector_ = text_pane(tr("Inspector"));
  why_ = text_pane(tr("Why: the terms that differ at a position"));
  job_list_ = new QTreeWidget;
  job_list_->setHeaderLabels({tr("job"), tr("state"), tr("seconds")});
  job_list_->setRootIsDecorated(false);
  job_list_->setAccessibleName(tr("Jobs"));
  log_ = text_pane(tr("Log"));
  log_->setMaximumBlockCount(10'000);
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
  reset_layout();
}

void MainWindow::make_menus() {
  const auto menu = [this](const QString& title, std::initializer_list<const char*> ids) {
    QMenu* out = menuBar()->addMenu(title);
    out->setToolTipsVisible(true);
    for (const char* id : ids) out->addAction(actions_->at(id));
    return out;
  };
  menu(tr("&File"), {"file.open", "session.save", "session.save_as", "file.start", "file.quit"});
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
  for (QDockWidget* one : findChildren<QDockWidget*>()) view->addAction(one->toggleViewAction());
  menu(tr("&Jobs"), {"jobs.cancel"});
  menu(tr("&Help"), {"help.commands"});
}

void MainWindow::reset_layout() {
  for (QDockWidget* one : findChildren<QDockWidget*>()) {
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

void MainWindow::open_by_dialog() {
  auto* dialog = new QFileDialog(
      this, tr("Open a model, a case, a journal or a session"), {},
      tr("Models, cases, journals and sessions (*.onnx *.txt *.jsonl *.petsession);;"
         "All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { open_file(chosen.toStdString()); });
  dialog->open();
}

namespace {

// What has been read, to be known again; empty where that is not told by one file.
std::string digest_of(const OpenedModel& opened, const std::filesystem::path& /*path*/) {
  return opened.model->digest.hex();
}
std::string digest_of(const OpenedPair& /*opened*/, const std::filesystem::path& path) {
  const auto file = onnx_io::FileBytes::read(path);
  return file ? plain_digest(file->bytes()).hex() : std::string();
}
// A journal may grow, and knows its model by itself.
std::string digest_of(const OpenedJournal& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}
std::string digest_of(const OpenedExample& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}

SourceKind kind_of(const std::filesystem::path& path) {
  if (path.extension() == ".jsonl") return SourceKind::Journal;
  return path.extension() == ".onnx" ? SourceKind::Model : SourceKind::Case;
}

}  // namespace

template <class Opened>
void MainWindow::open(
    SessionSource source,
    std::function<Result<Opened>(const std::filesystem::path&, const std::stop_token&)> ask,
    void (MainWindow::*deliver)(const Opened&)) {
  std::string title = "opening " + source.name;
  jobs_->start(
      "open", std::move(title),
      [this, source = std::move(source), ask = std::move(ask),
       deliver](const std::stop_token& stop) mutable -> Result<Delivery> {
        auto opened = ask(source.name, stop);
        if (!opened) return opened.error();
        auto digest = digest_of(*opened, source.name);
        if (!source.digest.empty() && source.digest != digest)
          return Error{printable(source.name) +
                       " is another file than the session was of: its content has changed; put "
                       "the old one back, or open it by itself"};
        source.digest = std::move(digest);
        return Delivery([this, deliver, source, opened = *std::move(opened)] {
          source_ = source;
          mutant_.reset();
          (this->*deliver)(opened);
        });
      });
}

void MainWindow::open_source(const SessionSource& source) {
  switch (source.kind) {
    case SourceKind::Nothing:
      return;
    case SourceKind::Example:
      return open<OpenedExample>(
          source,
          [this](const std::filesystem::path& id, const std::stop_token& stop) {
            return ports_.open_example(id.string(), stop);
          },
          &MainWindow::show_example);
    case SourceKind::Model:
      return open<OpenedModel>(source, ports_.open_model, &MainWindow::show_model);
    case SourceKind::Case:
      return open<OpenedPair>(source, ports_.open_case, &MainWindow::show_pair);
    case SourceKind::Journal:
      return open<OpenedJournal>(source, ports_.searching.open_journal, &MainWindow::show_journal);
  }
}

void MainWindow::open_file(const std::filesystem::path& path) {
  forget_session();
  if (path.extension() == kSessionSuffix) return restore(path);
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(path, ignored);
  open_source({kind_of(path), absolute.string(), {}});
}

void MainWindow::open_example(const QString& id) {
  forget_session();
  open_source({SourceKind::Example, id.toStdString(), {}});
}

void MainWindow::show_example(const OpenedExample& example) {
  if (example.pair) return show_pair(*example.pair);
  show_model(*example.model);
  begin_search(example.request, false);
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
  outline_of(opened, *outline_);
  inspector_->setPlainText(facts_of(opened));
  status_->setText(tr("%1: %2; %3 subprograms")
                       .arg(name, facts_of(opened))
                       .arg(opened.subprograms.classes.size()));
  log_->appendPlainText(status_->text());
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
  outline_of(pair, *outline_);
  inspector_->setPlainText(regions_->headline());
  status_->setText(tr("%1: %2").arg(name, regions_->headline()));
  log_->appendPlainText(status_->text());
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
  tabs_->setCurrentWidget(search_page_);
  log_->appendPlainText(what);
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
  open_mutant({mutant.subprogram, search_->log().line_of(mutant), search_->request().search});
}

void MainWindow::open_mutant(const SessionMutant& mutant) {
  if (!opened_.model) return give_up(tr("Without its model a mutant cannot be made again"));
  jobs_->start(
      "open", "making " + name_of(mutant.subprogram, mutant.line.back().id) + " again",
      [this, model = opened_.model, mutant](const std::stop_token& stop) -> Result<Delivery> {
        auto pair =
            ports_.searching.mutant(*model, mutant.config, mutant.subprogram, mutant.line, stop);
        if (!pair) return pair.error();
        return Delivery([this, model, mutant, pair = *std::move(pair)] {
          if (opened_.model != model) return;
          mutant_ = mutant;
          show_mutant(pair);
          const auto row = search_->log().row_of(mutant.subprogram, mutant.line.back().id);
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
  job_list_->clear();
  for (const Job& job : jobs_->list()) {
    auto* item =
        new QTreeWidgetItem(job_list_, {QString::fromStdString(job.title), state_in_words(job),
                                        QString::number(job.seconds, 'f', 1)});
    item->setData(0, Qt::UserRole, QVariant::fromValue<qulonglong>(job.id.index()));
    if (job.state != JobState::Failed || !told_.insert(job.id).second) continue;
    if (!steps_.empty()) {
      give_up(state_in_words(job));
      continue;
    }
    log_->appendPlainText(state_in_words(job));
    statusBar()->showMessage(state_in_words(job));
  }
  verdicts_->jobs_changed();
  settle_soon();
  Q_EMIT changed();
}

// The selected one, else all that run.
void MainWindow::cancel_job() {
  if (search_->is_exporting()) search_->cancel_export();
  if (const QTreeWidgetItem* item = job_list_->currentItem()) {
    jobs_->cancel(JobId(item->data(0, Qt::UserRole).toULongLong()));
    return;
  }
  for (const Job& job : jobs_->list()) jobs_->cancel(job.id);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Docks take the sizes that are asked for once they are laid out.
  if (!std::exchange(was_shown_, true))
    QMetaObject::invokeMethod(this, &MainWindow::reset_layout, Qt::QueuedConnection);
  if (tabs_->currentWidget() == start_) start_->focus_first();
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
