// What takes longer than a moment: each job runs in a thread of its own, can be cancelled, and
// hands its result to the thread of the window. No Qt here, so that the thread sanitizer sees all
// of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/util/id.h"
#include "core/util/result.h"

namespace pet::viz {

using JobId = Id<struct JobTag>;

enum class JobState { Running, Cancelled, Done, Failed };

struct Job {
  JobId id;
  std::string title;
  JobState state = JobState::Running;
  std::string said;  // why it failed
  double seconds = 0;
};

// What a job ends with: called in the thread of the owner, unless the job was replaced or cancelled
// before.
using Delivery = std::function<void()>;

class Jobs {
 public:
  // `post` runs a function later in the thread that owns this, and may be called from any thread.
  using Post = std::function<void(std::function<void()>)>;
  using Work = std::function<Result<Delivery>(const std::stop_token&)>;

  Jobs(Post post, std::function<void()> changed)
      : post_(std::move(post)), changed_(std::move(changed)) {}
  ~Jobs();  // cancels all and waits for them
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // A newer job of the same purpose replaces an older one, whose result is dropped.
  JobId start(const std::string& purpose, std::string title, Work work);
  void cancel(JobId id);
  bool is_idle() const;
  // In order of their start; those that ended long ago are forgotten.
  std::vector<Job> list() const;
  // Those that are forgotten, too.
  std::size_t started() const { return next_; }

 private:
  struct Running {
    std::string purpose;
    std::jthread thread;
    double started_s = 0;
  };

  void finish(JobId id, const Result<Delivery>& result);
  void forget_the_oldest();

  // Only the owner's thread touches these; the threads of jobs know their id alone.
  const Post post_;
  const std::function<void()> changed_;
  std::map<JobId, Job> jobs_;
  std::map<JobId, Running> running_;  // cancelled ones, too, until they are at their end
  std::size_t next_ = 0;
  const std::shared_ptr<int> alive_ =
      std::make_shared<int>();  // what was posted and comes too late finds it gone
};

}  // namespace pet::viz
