// A time limit as a stop token.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pet {

class Deadline {
 public:
  // The token asks for a stop after so many seconds, or when `outer` does.
  Deadline(double seconds, std::stop_token outer);

  std::stop_token token() const { return stop_.get_token(); }
  bool is_over() const { return stop_.stop_requested(); }

 private:
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> passed_on_;
  std::mutex mutex_;
  std::condition_variable_any wakes_;
  std::jthread timer_;  // last: it uses all of the above
};

}  // namespace pet
