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
  cancel_export();
  thread_.request_stop();
  thread_.join();
}

// The state is the owner's from here on: whatever is taken next knows of the order.
void SearchThread::order(Wanted wanted, State state) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_over_) {
      wanted_ = wanted;
      if (waiting_.state != State::Starting || state == State::Stopping) waiting_.state = state;
      ordered_.notify_one();
      return;
    }
  }
  publish(true);  // it came too late
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
    // It may not have taken up yet what was ordered just before: then there is no piece in work.
    waiting_.state = is_waiting_ ? State::Paused : State::Pausing;
  }
  publish(true);
}

void SearchThread::stop() {
  stop_.request();
  order(Wanted::OnAndOn, State::Stopping);
}

void SearchThread::export_best(std::filesystem::path target) {
  const std::lock_guard lock(mutex_);
  export_to_ = std::move(target);
  cancel_export_ = {};
  ordered_.notify_one();
}

void SearchThread::cancel_export() {
  const std::lock_guard lock(mutex_);
  cancel_export_.request_stop();
}

SearchThread::News SearchThread::take() {
  const std::lock_guard lock(mutex_);
  is_announced_ = false;
  News out = waiting_;
  waiting_.entries.clear();
  waiting_.exported.reset();
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
      is_over_ = true;
    }
    return set_state(State::Failed);
  }
  drive(**driven, closing);
}

void SearchThread::drive(DrivenRun& driven, const std::stop_token& closing) {
  Run& run = driven.run();
  run.step();  // what comes before the search
  if (run.phase() == Run::Phase::Done) tell_the_end(run);
  while (wait_for_orders(run, closing)) {
    if (is_export_wanted())
      export_now(driven);
    else
      take_a_step(run);
  }
}

void SearchThread::tell_the_end(const Run& run) {
  {
    const std::lock_guard lock(mutex_);
    if (run.failure()) waiting_.why = run.failure()->message;
    is_over_ = true;
  }
  set_state(run.failure() ? State::Failed : State::Done);
}

bool SearchThread::wait_for_orders(const Run& run, const std::stop_token& closing) {
  const bool is_over = run.phase() == Run::Phase::Done;
  std::unique_lock lock(mutex_);
  const auto has_orders = [&] {
    return export_to_.has_value() || (!is_over && wanted_ != Wanted::Pause);
  };
  if (!has_orders()) {
    if (!is_over) waiting_.state = State::Paused;
    is_waiting_ = true;
    lock.unlock();
    tell_the_best(run);
    publish(true);
    const double since = steady_seconds();
    lock.lock();
    ordered_.wait(lock, closing, has_orders);
    is_waiting_ = false;
    paused_s_ += steady_seconds() - since;
  } else if (waiting_.state == State::Starting) {
    waiting_.state = State::Running;
  }
  return !closing.stop_requested();
}

void SearchThread::tell_the_best(const Run& run) {
  auto plans = run.best();
  auto best = plans.empty() ? nullptr : std::make_shared<const Plan>(std::move(plans.front()));
  const std::lock_guard lock(mutex_);
  waiting_.best = std::move(best);
}

bool SearchThread::is_export_wanted() {
  const std::lock_guard lock(mutex_);
  return export_to_.has_value();
}

void SearchThread::export_now(DrivenRun& driven) {
  std::filesystem::path target;
  std::stop_token stop;
  State before = State::Paused;
  {
    const std::lock_guard lock(mutex_);
    target = *std::exchange(export_to_, std::nullopt);
    stop = cancel_export_.get_token();
    before = std::exchange(waiting_.state, State::Exporting);
  }
  publish(true);
  until_ = {};
  const double since = steady_seconds();
  auto written = driven.export_best(target, stop);
  paused_s_ += steady_seconds() - since;
  {
    const std::lock_guard lock(mutex_);
    waiting_.exported = std::move(written);
    if (waiting_.state == State::Exporting) waiting_.state = before;
  }
  publish(true);
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
  if (run.phase() == Run::Phase::Done) return tell_the_end(run);
  publish(false);
}

}  // namespace pet::viz
