// MainWindow: what is open kept in a session, and found again: the file is opened, then one step
// follows another, each once nothing runs any more.
#include <QDockWidget>
#include <QFileDialog>
#include <QMetaObject>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabWidget>

#include "core/search/journal.h"
#include "core/util/check.h"
#include "core/util/printable.h"
#include "viz/views/compare_page.h"
#include "viz/views/correction_page.h"
#include "viz/views/main_window.h"
#include "viz/views/search_control.h"

namespace pet::viz {
namespace {

namespace fs = std::filesystem;

QString name_of(const Page& page) { return page.title().toLower(); }

// How many entries below the cursor stand in the journal as well.
std::size_t journaled_below(const SearchLog& log, std::size_t cursor) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < cursor; ++i) {
    const Event* event = log.event(i);
    if (event != nullptr && is_journaled(*event)) ++out;
  }
  return out;
}

}  // namespace

// ---- one step after another

void MainWindow::then(std::function<void()> step) {
  steps_.push_back(std::move(step));
  settle_soon();
}

void MainWindow::settle_soon() {
  QMetaObject::invokeMethod(this, &MainWindow::settle, Qt::QueuedConnection);
}

void MainWindow::settle() {
  if (!jobs_->is_idle() || search_->is_running()) return;
  if (steps_.empty()) return Q_EMIT idle();
  const auto step = std::move(steps_.front());
  steps_.pop_front();
  step();
  settle_soon();
}

void MainWindow::give_up(const QString& why) {
  steps_.clear();
  trouble_ = why.toStdString();
  note(why);
  statusBar()->showMessage(why);
}

// ---- pages by their names

QStringList MainWindow::page_names() const {
  QStringList out;
  for (const Page* page : pages_) out.append(name_of(*page));
  return out;
}

QWidget& MainWindow::page() const { return in_front(); }

void MainWindow::show_page(const QString& name) {
  PET_CHECK(page_names().contains(name), "there is such a page");
  then([this, name] { tabs_->setCurrentIndex(static_cast<int>(page_names().indexOf(name))); });
}

void MainWindow::compare_with(const fs::path& file) {
  then([this, file] {
    if (!opened_.model) return give_up(tr("Only a model is compared with a file"));
    std::error_code ignored;
    compare_->offer(fs::absolute(file, ignored));
    tabs_->setCurrentWidget(compare_);
  });
}

// ---- sessions

Session MainWindow::session() const {
  Session out;
  out.source = source_;
  std::error_code ignored;
  const fs::path journal = search_->request().journal;
  if (search_->is_live() && !journal.empty())
    out.source = {SourceKind::Journal, fs::absolute(journal, ignored).string(), {}};
  if (opened_.pair) {
    out.mutant = mutant_;
    out.correction = correction_;
  }
  out.compared = compare_->other().string();
  out.page = name_of(in_front()).toStdString();
  out.choices = in_front().choices();
  out.theme = is_dark_ ? SessionTheme::Dark : SessionTheme::Light;
  if (out.source.kind == SourceKind::Journal)
    out.cursor = journaled_below(search_->log(), search_->cursor());
  for (const QDockWidget* dock : docks_)
    out.docks[dock->objectName().toStdString()] = !dock->isHidden();
  return out;
}

void MainWindow::save_session(const fs::path& path) {
  const auto written = write_session(session(), path);
  QString words = written ? tr("The session is kept in %1").arg(QString::fromStdString(path))
                          : QString::fromStdString(written.error().message);
  if (written) session_file_ = path;
  if (!written && written.error().kind == ErrorKind::Tool)
    words += tr("; save it in another place (Ctrl+Shift+S)");
  if (written && search_->is_live() && search_->request().journal.empty())
    words += tr("; the search keeps no journal, so its log is not in it");
  note(words);
  statusBar()->showMessage(words);
}

void MainWindow::save_by_dialog() {
  const QString suffix = QString::fromUtf8(kSessionSuffix.data() + 1);
  auto* dialog = new QFileDialog(this, tr("Save the session"), "session." + suffix,
                                 tr("Sessions (*.%1);;All files (*)").arg(suffix));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(suffix);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { save_session(chosen.toStdString()); });
  dialog->open();
}

// Something else is opened.
void MainWindow::forget_session() {
  steps_.clear();
  trouble_.clear();
  session_file_.clear();
}

void MainWindow::restore(const fs::path& path) {
  const auto read = read_session(path);
  if (!read) return give_up(QString::fromStdString(read.error().message));
  session_file_ = path;
  follow(*read, path.string());
}

void MainWindow::follow(const Session& session, const std::string& name) {
  if (!page_names().contains(QString::fromStdString(session.page)))
    return give_up(tr("The session %1 was at a page that there is not: %2; open what it was of by "
                      "File > Open")
                       .arg(QString::fromStdString(printable(name)),
                            QString::fromStdString(printable(session.page))));
  open_source(session.source);
  then([this, name = session.source.name] {
    if (source_.name != name) give_up(tr("Opening was cancelled"));
  });
  if (session.mutant) then([this, mutant = *session.mutant] { open_mutant(mutant); });
  if (session.correction) {
    then([this] { tabs_->setCurrentWidget(correction_page_); });
    then([this, way = *session.correction] { correction_page_->apply_way(way); });
  }
  if (!session.compared.empty()) then([this, session] { compare_->offer(session.compared); });
  then([this, session] { restore_view(session); });
  then([this, session] { in_front().choose(session.choices); });
}

void MainWindow::restore_view(const Session& session) {
  use_theme(session.theme == SessionTheme::Dark);
  for (QDockWidget* dock : docks_) {
    const auto known = session.docks.find(dock->objectName().toStdString());
    if (known != session.docks.end()) dock->setVisible(known->second);
  }
  if (session.source.kind == SourceKind::Journal) search_->move_cursor(session.cursor);
  tabs_->setCurrentIndex(
      static_cast<int>(page_names().indexOf(QString::fromStdString(session.page))));
}

}  // namespace pet::viz
