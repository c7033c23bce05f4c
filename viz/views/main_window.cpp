#include "viz/views/main_window.h"

#include <QApplication>
#include <QChildEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMenu>
#include <QMetaObject>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
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
#include "viz/views/search_control.h"
#include "viz/views/search_page.h"
#include "viz/views/start_page.h"
#include "viz/views/verdicts_page.h"
#include "viz/words/terms.h"

namespace pet::viz {
namespace {

// What those hear who do not see it.
QString name_of(const QWidget* widget) {
  if (widget == nullptr) return {};
  return widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
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
  // A window that is shown is closed by the destructors of Qt, which move the focus: nobody may
  // call what is no main window any more.
  disconnect(qApp, nullptr, this, nullptr);
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
  profile_page_ = new ProfilePage(*jobs_, ports_.profile);
  auto* exporting = new ExportPage(ports_.exporting, *jobs_, *search_);
  auto* rounds = new RoundsPage(*search_);
  report_page_ = new ReportPage;
  compare_ = new ComparePage(ports_.open_model, *jobs_);
  auto* passes = new PostOptPage(ports_.exporting, *jobs_, *search_);
  for (Page* page : std::initializer_list<Page*>{start_, graph_, search_page_, mutants_, regions_,
                                                 boxes, correction_page_, verdicts_, profile_page_,
                                                 exporting, rounds, report_page_, compare_, passes})
    add_page(page);
  tabs_->setCornerWidget(make_page_list());
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
          [this](const std::filesystem::path& written) {
            tabs_->setCurrentWidget(profile_page_);
            profile_page_->compare_with(written);
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

// Not all tabs fit into a narrow window: all pages, by their names.
QWidget* MainWindow::make_page_list() {
  auto* all = new QToolButton;
  all->setText(tr("All %1 pages").arg(pages_.size()));
  all->setAccessibleName(all->text());
  all->setToolTip(tr("All pages by their names; also in the menu View"));
  all->setAutoRaise(true);
  all->setPopupMode(QToolButton::InstantPopup);
  auto* list = new QMenu(all);
  for (const Page* page : pages_) list->addAction(actions_->at("page." + page->title().toLower()));
  all->setMenu(list);
  return all;
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
  status_->setText(
      tr("%1: %2; %3")
          .arg(name, facts_of(opened),
               QString::fromStdString(plural(opened.subprograms.classes.size(), "subprogram"))));
  note(status_->text());
}

void MainWindow::show_pair(const OpenedPair& pair) {
  opened_ = {};
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
  if (lines_ > static_cast<std::size_t>(log_->maximumBlockCount()))
    findChild<QDockWidget*>("log")->setWindowTitle(
        tr("Log: the last %1 of %2 lines").arg(log_->maximumBlockCount()).arg(lines_));
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
