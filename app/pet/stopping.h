// Ctrl-C: once, and the search stops while what was found is still proved and written; twice, and
// that stops too.
#pragma once

#include <functional>
#include <stop_token>

#include "app/common/interrupts.h"

namespace pet::app {

class Stopping {
 public:
  // `tell` hears of the first and of the second, in another thread.
  explicit Stopping(std::function<void(int count)> tell = {});

  std::stop_token search() const { return search_.get_token(); }
  std::stop_token everything() const { return everything_.get_token(); }
  bool asked_once() const { return search_.stop_requested(); }
  bool asked_twice() const { return everything_.stop_requested(); }

 private:
  void look(int count);

  std::function<void(int)> tell_;
  std::stop_source search_;
  std::stop_source everything_;
  Interrupts interrupts_;  // last: its thread uses all of the above
};

}  // namespace pet::app
