// The thread of a window, for tests: runs what was posted, one after another.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace pet::viz {

class Loop {
 public:
  std::function<void(std::function<void()>)> post() {
    return [this](std::function<void()> what) {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(what));
      arrived_.notify_one();
    };
  }
  void run_one() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !posted_.empty(); });
    const auto what = std::move(posted_.front());
    posted_.pop_front();
    lock.unlock();
    what();
  }
  void run_until(const std::function<bool()>& is_reached) {
    while (!is_reached()) run_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> posted_;
};

}  // namespace pet::viz
