#include "viz/session/jobs.h"

#include <algorithm>

#include "core/util/steady_seconds.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostRemembered = 100;

}  // namespace

Jobs::~Jobs() {
  for (auto& [id, running] : running_) running.thread.request_stop();
  running_.clear();  // waits for each
}

// What a job throws ends that job alone.
static Result<Delivery> done(const Jobs::Work& work, const std::stop_token& stop) {
  try {
    return work(stop);
  } catch (const std::exception& thrown) {
    return Error{thrown.what(), ErrorKind::Tool};
  }
}

JobId Jobs::start(const std::string& purpose, std::string title, Work work) {
  std::vector<JobId> replaced;
  for (const auto& [id, running] : running_)
    if (running.purpose == purpose) replaced.push_back(id);
  for (const JobId id : replaced) cancel(id);
  const JobId id(next_++);
  jobs_[id] = {id, std::move(title), JobState::Running, {}, 0};
  auto run = [this, id, work = std::move(work), post = post_,
              alive = std::weak_ptr(alive_)](const std::stop_token& stop) {
    auto result = std::make_shared<Result<Delivery>>(done(work, stop));
    post([this, id, result, alive] {
      if (!alive.expired()) finish(id, *result);
    });
  };
  running_[id] = {purpose, std::jthread(std::move(run)), steady_seconds()};
  forget_the_oldest();
  changed_();
  return id;
}

void Jobs::cancel(JobId id) {
  const auto running = running_.find(id);
  if (running == running_.end() || jobs_[id].state != JobState::Running) return;
  running->second.thread.request_stop();
  jobs_[id].state = JobState::Cancelled;
  changed_();
}

void Jobs::finish(JobId id, const Result<Delivery>& result) {
  const auto running = running_.find(id);
  Job& job = jobs_[id];
  job.seconds = steady_seconds() - running->second.started_s;
  running_.erase(running);  // its thread has nothing left to do
  const bool is_wanted = job.state == JobState::Running;
  if (is_wanted && !result) {
    const bool is_stopped = result.error().kind == ErrorKind::Stopped;
    job.state = is_stopped ? JobState::Cancelled : JobState::Failed;
    job.said = is_stopped ? "" : result.error().message;
  } else if (is_wanted) {
    job.state = JobState::Done;
    (*result)();
  }
  changed_();
}

void Jobs::forget_the_oldest() {
  for (auto it = jobs_.begin(); it != jobs_.end() && jobs_.size() > kMostRemembered;)
    it = running_.contains(it->first) ? std::next(it) : jobs_.erase(it);
}

bool Jobs::is_idle() const { return running_.empty(); }

std::vector<Job> Jobs::list() const {
  std::vector<Job> out;
  for (const auto& [id, job] : jobs_) {
    out.push_back(job);
    if (const auto running = running_.find(id); running != running_.end())
      out.back().seconds = steady_seconds() - running->second.started_s;
  }
  return out;
}

}  // namespace pet::viz
