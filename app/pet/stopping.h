// Ctrl-C: once, and the search stops while what was found is still proved and written; twice, and
// that stops too.
#pragma once

#include <functional>

#include "app/common/interrupts.h"
#include "core/run/stop.h"

namespace pet::app {

class Stopping {
 public:
  // `tell` hears of the first and of the second, in another thread.
  explicit Stopping(std::function<void(int count)> tell = {});

  StopRequests& requests() { return requests_; }
  std::stop_token search() const { return requests_.search(); }
  std::stop_token everything() const { return requests_.everything(); }
  bool asked_once() const { return requests_.asked_once(); }
  bool asked_twice() const { return requests_.asked_twice(); }

 private:
  void look(int count);

  std::function<void(int)> tell_;
  StopRequests requests_;
  Interrupts interrupts_;  // last: its thread uses all of the above
};

}  // namespace pet::app
