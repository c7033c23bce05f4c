// MainWindow: searches that are begun, recorded ones and those that somebody else is writing, and
// their mutants.
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>

#include "viz/views/main_window.h"
#include "viz/views/run_dialog.h"
#include "viz/views/search_control.h"
#include "viz/views/search_page.h"
#include "viz/words/events.h"

namespace pet::viz {

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
                   search_->show(entries, pet_config(journal->header.config),
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

}  // namespace pet::viz
