#include "viz/views/search_control.h"

#include <QMetaObject>

namespace pet::viz {

SearchControl::~SearchControl() = default;

void SearchControl::reset(const RunRequest& request) {
  thread_.reset();
  log_.clear();
  news_ = {};
  request_ = request;
  recorded_.clear();
  cursor_ = 0;
  mutant_.reset();
  going_.reset();
}

void SearchControl::start(SearchThread::Make make, const RunRequest& request, bool goes_on) {
  reset(request);
  thread_ = std::make_unique<SearchThread>(std::move(make), [this] {
    QMetaObject::invokeMethod(
        this, [this] { take_news(); }, Qt::QueuedConnection);
  });
  if (goes_on) thread_->go_on();
  Q_EMIT replaced();
  Q_EMIT status_changed();
}

void SearchControl::show(std::vector<LogEntry> entries, const SearchConfig& config,
                         const QString& what) {
  RunRequest request;
  request.search = config;
  reset(request);
  recorded_ = what;
  for (LogEntry& entry : entries) log_.add(std::move(entry));
  cursor_ = log_.size();
  Q_EMIT replaced();
  Q_EMIT status_changed();
}

void SearchControl::close() {
  reset({});
  Q_EMIT replaced();
  Q_EMIT status_changed();
}

// Who stood at the end stays there.
void SearchControl::add(std::vector<LogEntry> entries) {
  if (entries.empty()) return;
  const bool follows = cursor_ == log_.size();
  for (LogEntry& entry : entries) log_.add(std::move(entry));
  if (follows) cursor_ = log_.size();
  Q_EMIT moved();
}

void SearchControl::append(std::vector<LogEntry> entries) {
  add(std::move(entries));
  Q_EMIT status_changed();
}

void SearchControl::take_news() {
  if (!thread_) return;
  news_ = thread_->take();
  add(std::exchange(news_.entries, {}));
  const bool has_stopped = !is_running();
  if (has_stopped && going_ == Until::Partial) {
    // The one that it went to.
    for (std::size_t row = log_.mutants().size(); row-- > 0;) {
      if (!log_.mutants()[row].in_part) continue;
      select_mutant(row);
      break;
    }
  }
  if (has_stopped) going_.reset();
  if (const auto what = std::exchange(news_.exported, std::nullopt)) Q_EMIT exported(*what);
  Q_EMIT status_changed();
}

bool SearchControl::is_running() const {
  using State = SearchThread::State;
  return thread_ && news_.state != State::Paused && !is_over();
}

bool SearchControl::is_over() const {
  using State = SearchThread::State;
  return news_.state == State::Done || news_.state == State::Failed;
}

QString SearchControl::status() const {
  if (!thread_) return recorded_;
  const QString kind = request_.target == kEstimates ? tr("; times are estimates") : QString();
  const auto progress = tr("subprogram %1 of %2; saves %3 ms so far; %4 s of the budget left%5")
                            .arg(news_.progress.done)
                            .arg(news_.progress.subprograms)
                            .arg(news_.progress.saved_ms, 0, 'f', 3)
                            .arg(std::max(0.0, news_.budget_left_s), 0, 'f', 0)
                            .arg(kind);
  switch (news_.state) {
    case SearchThread::State::Starting:
      return tr("Starting …");
    case SearchThread::State::Paused:
      return log_.size() <= 1 ? tr("Paused at the beginning: step it, or let it run")
                              : tr("Paused: %1").arg(progress);
    case SearchThread::State::Running:
      return tr("Searching: %1").arg(progress);
    case SearchThread::State::Pausing:
      return tr("Pausing after the piece in work: %1").arg(progress);
    case SearchThread::State::Stopping:
      return tr("Stopping …");
    case SearchThread::State::Exporting:
      return tr("The best so far is being written");
    case SearchThread::State::Done:
      return tr("The search is over%1").arg(kind);
    case SearchThread::State::Failed:
      return tr("The search failed: %1").arg(QString::fromStdString(news_.why));
  }
  return {};
}

void SearchControl::go(Until until) {
  for (std::size_t at = cursor_; at < log_.size(); ++at) {
    if (is_reached(until, log_.entry(at))) return move_cursor(at + 1);
  }
  move_cursor(log_.size());
  if (!thread_ || is_running() || is_over()) return;
  going_ = until;
  news_.state = SearchThread::State::Running;
  thread_->go(goal_for(until));
  Q_EMIT status_changed();
}

void SearchControl::go_on() {
  move_cursor(log_.size());
  if (!thread_ || is_running() || is_over()) return;
  news_.state = SearchThread::State::Running;
  thread_->go_on();
  Q_EMIT status_changed();
}

void SearchControl::pause() {
  if (thread_) thread_->pause();
}

void SearchControl::stop() {
  if (!thread_ || is_over()) return;
  news_.state = SearchThread::State::Stopping;
  thread_->stop();
  Q_EMIT status_changed();
}

bool SearchControl::can_export() const {
  using State = SearchThread::State;
  return thread_ && (news_.state == State::Paused || news_.state == State::Done);
}

bool SearchControl::is_exporting() const {
  return thread_ && news_.state == SearchThread::State::Exporting;
}

void SearchControl::export_best(const std::filesystem::path& target) {
  news_.state = SearchThread::State::Exporting;
  thread_->export_best(target);
  Q_EMIT status_changed();
}

void SearchControl::cancel_export() {
  if (thread_) thread_->cancel_export();
}

void SearchControl::move_cursor(std::size_t to) {
  to = std::min(to, log_.size());
  if (to == cursor_) return;
  cursor_ = to;
  Q_EMIT moved();
}

void SearchControl::step_back() {
  if (cursor_ > 0) move_cursor(cursor_ - 1);
}

void SearchControl::select_mutant(std::optional<std::size_t> row) {
  if (mutant_ == row) return;
  mutant_ = row;
  Q_EMIT mutant_selected();
}

}  // namespace pet::viz
