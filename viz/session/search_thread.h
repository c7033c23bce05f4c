// A run (core/run) that is driven in a thread of its own: node by node, to a goal, or on and on;
// between two pieces it can be paused, and its clock stands still meanwhile. What it tells is
// collected until the owner takes it. No Qt here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/run/run.h"
#include "viz/session/exported.h"
#include "viz/session/search_log.h"

namespace pet::viz {

// A run with all that its ports refer to.
class DrivenRun {
 public:
  virtual ~DrivenRun() = default;
  virtual Run& run() = 0;
  // The best that was found so far, as a file, as far as it can be accepted. Its stages are told
  // through the wires.
  virtual Result<ExportedFile> export_best(const std::filesystem::path& target,
                                           const std::stop_token& stop) = 0;
};

// What whoever makes a run wires it to. They outlive the run.
struct RunWires {
  EventSink events;
  std::function<void(std::size_t subprogram, const TraceNode&)> nodes;
  std::function<double()> now;  // seconds; stands still while the run is paused
  StopRequests& stop;
};

// How far to go.
struct Goal {
  Grain grain = Grain::Node;
  // Steps are taken until something is told of which this is true; nothing: one step.
  std::function<bool(const Event&)> until = {};
};

class SearchThread {
 public:
  enum class State {
    Starting,
    Paused,
    Running,
    Pausing,    // the piece in work is at its end soon
    Stopping,   // what was found is still looked at
    Exporting,  // what was found becomes a file; then it goes on as before
    Done,
    Failed
  };
  using Make = std::function<Result<std::unique_ptr<DrivenRun>>(RunWires)>;

  // `news` is called from the thread: something was told, or the state changed. It is not called
  // again before take().
  SearchThread(Make make, std::function<void()> news);
  ~SearchThread();  // ends it at once
  SearchThread(const SearchThread&) = delete;
  SearchThread& operator=(const SearchThread&) = delete;

  // After the end an order changes nothing.
  void go(Goal goal);
  void go_on();  // until the end
  void pause();
  // Between two steps, or after the end; the clock stands still meanwhile.
  void export_best(std::filesystem::path target);
  void cancel_export();
  void stop();  // for good: what the search has found is taken up as the run is made for

  struct News {
    State state = State::Starting;
    std::vector<LogEntry> entries;
    SearchProgress progress;
    double budget_left_s = 0;
    std::shared_ptr<const Plan> best;  // when it stood still last; null: nothing is faster
    std::string why;                   // it failed
    std::optional<Result<ExportedFile>> exported;  // since the last time
  };
  News take();

 private:
  enum class Wanted { Pause, Step, OnAndOn };

  void order(Wanted wanted, State state);
  void work(const std::stop_token& closing);
  bool wait_for_orders(const Run& run, const std::stop_token& closing);  // false: it is closed
  void drive(DrivenRun& driven, const std::stop_token& closing);
  void take_a_step(Run& run);
  void tell_the_end(const Run& run);
  void tell_the_best(const Run& run);
  bool is_export_wanted();
  void export_now(DrivenRun& driven);
  void tell(LogEntry entry);
  void publish(bool at_once);
  void set_state(State state);
  double seconds() const;

  const Make make_;
  const std::function<void()> news_;
  StopRequests stop_;
  std::mutex mutex_;
  std::condition_variable_any ordered_;
  Wanted wanted_ = Wanted::Pause;
  Goal goal_;
  std::optional<std::filesystem::path> export_to_;
  std::stop_source cancel_export_;
  News waiting_;
  bool is_announced_ = false;
  bool is_waiting_ = false;  // for an order
  bool is_over_ = false;     // whatever is ordered comes too late
  // Only the thread touches these.
  double paused_s_ = 0;
  double started_s_ = 0;
  double published_s_ = 0;
  std::function<bool(const Event&)> until_;  // of the step in work
  bool is_goal_reached_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace pet::viz
