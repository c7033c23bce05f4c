#include "viz/session/search_thread.h"

#include "core/util/steady_seconds.h"

namespace pet::viz {

SearchThread::SearchThread(Make make, std::function<void()> news)
    : make_(std::move(make)),
      news_(std::move(news)),
      thread_([this](const std::stop_token& closing) { work(closing); }) {}

SearchThread::~SearchThread() {
  stop_.request();
  stop_.request();
  thread_.request_stop();
  thread_.join();
}

// The state is the owner's from here on: whatever is taken next knows of the order.
void SearchThread::order(Wanted wanted, State state) {
  const std::lock_guard lock(mutex_);
  wanted_ = wanted;
  if (waiting_.state != State::Starting || state == State::Stopping) waiting_.state = state;
  ordered_.notify_one();
}

void SearchThread::go(Goal goal) {
  {
    const std::lock_guard lock(mutex_);
    goal_ = std::move(goal);
  }
  order(Wanted::Step, State::Running);
}

void SearchThread::go_on() { order(Wanted::OnAndOn, State::Running); }

void SearchThread::pause() {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.state != State::Running) return;
    wanted_ = Wanted::Pause;
    waiting_.state = State::Pausing;
  }
  publish(true);
}

void SearchThread::stop() {
  stop_.request();
  order(Wanted::OnAndOn, State::Stopping);
}

SearchThread::News SearchThread::take() {
  const std::lock_guard lock(mutex_);
  is_announced_ = false;
  News out = waiting_;
  waiting_.entries.clear();
  return out;
}

// ---- in the thread

double SearchThread::seconds() const { return steady_seconds() - started_s_ - paused_s_; }

void SearchThread::tell(LogEntry entry) {
  entry.seconds = seconds();
  const std::lock_guard lock(mutex_);
  waiting_.entries.push_back(std::move(entry));
}

void SearchThread::set_state(State state) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.state = state;
  }
  publish(true);
}

// So often that it looks alive, and not for every node.
void SearchThread::publish(bool at_once) {
  constexpr double kSeconds = 0.05;
  {
    const std::lock_guard lock(mutex_);
    const double now = steady_seconds();
    if (is_announced_ || (!at_once && now < published_s_ + kSeconds)) return;
    published_s_ = now;
    is_announced_ = true;
  }
  news_();
}

void SearchThread::work(const std::stop_token& closing) {
  started_s_ = steady_seconds();
  RunWires wires{[this](const Event& event) {
                   if (until_ && until_(event)) is_goal_reached_ = true;
                   tell({event, 0});
                 },
                 [this](std::size_t subprogram, const TraceNode& node) {
                   tell({TracedNode{subprogram, node}, 0});
                 },
                 [this] { return seconds(); }, stop_};
  auto driven = make_(std::move(wires));
  if (!driven) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.why = driven.error().message;
    }
    return set_state(State::Failed);
  }
  drive(**driven, closing);
}

void SearchThread::drive(DrivenRun& driven, const std::stop_token& closing) {
  Run& run = driven.run();
  run.step();  // what comes before the search
  while (run.phase() != Run::Phase::Done && wait_for_orders(closing)) take_a_step(run);
  if (closing.stop_requested()) return;
  if (run.failure()) {
    const std::lock_guard lock(mutex_);
    waiting_.why = run.failure()->message;
  }
  set_state(run.failure() ? State::Failed : State::Done);
}

bool SearchThread::wait_for_orders(const std::stop_token& closing) {
  std::unique_lock lock(mutex_);
  if (wanted_ == Wanted::Pause) {
    waiting_.state = State::Paused;
    lock.unlock();
    publish(true);
    const double since = steady_seconds();
    lock.lock();
    ordered_.wait(lock, closing, [this] { return wanted_ != Wanted::Pause; });
    paused_s_ += steady_seconds() - since;
  } else if (waiting_.state == State::Starting) {
    waiting_.state = State::Running;
  }
  return !closing.stop_requested();
}

void SearchThread::take_a_step(Run& run) {
  Goal goal;
  Wanted wanted = Wanted::Pause;
  {
    const std::lock_guard lock(mutex_);
    wanted = wanted_;
    if (wanted == Wanted::Step) goal = goal_;
  }
  until_ = goal.until;
  is_goal_reached_ = false;
  run.step(goal.grain);
  {
    const std::lock_guard lock(mutex_);
    waiting_.progress = run.progress();
    waiting_.budget_left_s = run.budget_left_s();
    if (wanted == Wanted::Step && wanted_ == Wanted::Step && (!until_ || is_goal_reached_))
      wanted_ = Wanted::Pause;
  }
  publish(false);
}

}  // namespace pet::viz
