// Where a long run is, on stderr: on a terminal one line, overwritten by the next; elsewhere (a
// file, a pipe) a line of its own every 15 seconds, so that whoever reads the log knows that it
// lives, and what it does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace pet::app {

// "drawn errors, 40 %"; what has just begun, or is not counted, without a number.
std::string how_far(std::string_view what, double fraction);

class Progress {
 public:
  using Tell = std::function<void(std::string_view)>;

  Progress();
  // `tell` may be called from another thread, never twice at once.
  Progress(bool on_terminal, std::chrono::milliseconds every, Tell tell);

  // What goes on from here on, until the next call. As often as one likes, from any thread.
  void show(std::string_view line) const;
  void clear() const { show(""); }
  bool is_on_terminal() const { return on_terminal_; }
  // What to write first so that a message stands in the place of the line.
  std::string erasing() const;

 private:
  void tell_every(std::chrono::milliseconds every, const std::stop_token& done) const;

  bool on_terminal_;
  Tell tell_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  mutable std::string line_;
  mutable std::condition_variable_any wakes_;
  std::jthread teller_;  // last: it uses all of the above
};

}  // namespace pet::app
