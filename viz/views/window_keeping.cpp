// MainWindow: what is open is kept while one works, so that whatever ends the program costs two
// seconds at most; what others left is offered on the start page.
#include <QTimer>

#include "viz/views/main_window.h"
#include "viz/views/start_page.h"

namespace pet::viz {
namespace {

constexpr int kKeepAfter = 1'000;  // ms after the first change that is not kept yet

}  // namespace

void MainWindow::keep_soon() {
  if (ports_.kept.empty() || std::exchange(will_keep_, true)) return;
  QTimer::singleShot(kKeepAfter, this, &MainWindow::keep);
}

// A window in which nothing was ever opened keeps nothing.
void MainWindow::keep() {
  will_keep_ = false;
  const Session now = session();
  if (now.source.kind == SourceKind::Nothing) return;
  Status kept = Done{};
  if (!kept_) {
    auto begun = KeptSession::begin(ports_.kept);
    if (begun)
      kept_.emplace(*std::move(begun));
    else
      kept = std::move(begun).error();
  }
  if (kept_) kept = kept_->keep(now);
  if (!kept && !std::exchange(has_told_of_keeping_, true))
    tell(QString::fromStdString(kept.error().message));
}

void MainWindow::load_left() {
  if (!ports_.kept.empty()) start_->show_left(left_sessions(ports_.kept));
}

void MainWindow::restore_newest_left() {
  if (!ports_.kept.empty())
    for (const LeftSession& left : left_sessions(ports_.kept))
      if (left.session) return restore_left(left.file);
  tell(tr("No window was ended without being closed"));
}

// What cannot be restored stays where it is.
void MainWindow::restore_left(const std::filesystem::path& file) {
  auto claimed = SessionLock::claim(file);
  if (!claimed) return tell(QString::fromStdString(claimed.error().message));
  const auto lock = std::make_shared<SessionLock>(*std::move(claimed));
  const auto session = read_session(file);
  if (!session) return tell(QString::fromStdString(session.error().message));
  forget_session();
  follow(*session, file.string());
  then([this, lock] {
    lock->remove();
    load_left();
  });
}

void MainWindow::forget_left(const std::filesystem::path& file) {
  auto lock = SessionLock::claim(file);
  if (lock)
    lock->remove();
  else
    tell(QString::fromStdString(lock.error().message));
  load_left();
}

}  // namespace pet::viz
