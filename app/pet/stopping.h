// Ctrl-C: once, and the search stops while what was found is still proved and written; twice, and
// that stops too.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace pet::app {

class Stopping {
 public:
  Stopping();
  ~Stopping();
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;

  std::stop_token search() const { return search_.get_token(); }
  std::stop_token everything() const { return everything_.get_token(); }
  bool asked_once() const { return search_.stop_requested(); }
  bool asked_twice() const { return everything_.stop_requested(); }

 private:
  std::stop_source search_;
  std::stop_source everything_;
  std::jthread watcher_;  // a signal handler may not touch a stop_source
};

}  // namespace pet::app
