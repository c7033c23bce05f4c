// MainWindow: panes around the pages, and menus.
#include <QDockWidget>
#include <QFontDatabase>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTabWidget>

#include "viz/views/actions.h"
#include "viz/views/graph_page.h"
#include "viz/views/job_list.h"
#include "viz/views/main_window.h"
#include "viz/views/outline.h"
#include "viz/views/regions_page.h"
#include "viz/views/search_control.h"
#include "viz/views/timeline.h"

namespace pet::viz {
namespace {

constexpr int kMostLines = 10'000;  // of the log; what is older goes, and is counted

QPlainTextEdit* text_pane(const QString& name) {
  auto* pane = new QPlainTextEdit;
  pane->setReadOnly(true);
  pane->setAccessibleName(name);
  pane->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  return pane;
}

}  // namespace

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

}  // namespace pet::viz
