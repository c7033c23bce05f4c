// A search in the window: its log, the cursor in it, the thread that drives it where it is live,
// and which mutant is selected. Pages show what lies below the cursor; they touch no search.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "viz/session/run_request.h"
#include "viz/session/search_log.h"
#include "viz/session/search_thread.h"

namespace pet::viz {

class SearchControl final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~SearchControl() override;

  // A search begins: it stands at its first node, or goes on at once. What was there goes.
  void start(SearchThread::Make make, const RunRequest& request, bool goes_on);
  // A recorded one.
  void show(std::vector<LogEntry> entries, const SearchConfig& config, const QString& what);
  // What was written into the record since.
  void append(std::vector<LogEntry> entries);
  void close();

  const SearchLog& log() const { return log_; }
  const RunRequest& request() const { return request_; }
  std::size_t cursor() const { return cursor_; }
  bool is_live() const { return thread_ != nullptr; }
  // Of the live search, when it stood still last; null: there is none, or nothing faster is known.
  const std::shared_ptr<const Plan>& best() const { return news_.best; }
  bool is_running() const;  // it is at work, or will be at once
  QString status() const;

  void go(Until until);  // from the cursor: through what is there, then the live search
  void go_on();
  void pause();
  void stop();
  // What was found so far. REQUIRES: can_export()
  void export_best(const std::filesystem::path& target);
  void cancel_export();
  bool can_export() const;
  bool is_exporting() const;
  void move_cursor(std::size_t to);
  void step_back();

  std::optional<std::size_t> mutant() const {
    return mutant_;
  }  // that is selected: a row of the log
  void select_mutant(std::optional<std::size_t> row);

 Q_SIGNALS:
  void replaced();  // the log is another one
  void moved();     // the log grew, or the cursor is elsewhere
  void status_changed();
  void mutant_selected();
  void exported(const Result<ExportedFile>& what);

 private:
  bool is_over() const;
  void take_news();
  void add(std::vector<LogEntry> entries);
  void reset(const RunRequest& request);

  SearchLog log_;
  RunRequest request_;
  QString recorded_;  // what it is a record of; empty: it is live
  SearchThread::News news_;
  std::size_t cursor_ = 0;
  std::optional<std::size_t> mutant_;
  std::optional<Until> going_;  // to where, while the live search is on its way
  std::unique_ptr<SearchThread> thread_;
};

}  // namespace pet::viz
