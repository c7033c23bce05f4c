// Asking a run to stop. Once: the search ends, and what it has found is still measured, proved and
// written. Twice: that ends too.
#pragma once

#include <stop_token>

namespace pet {

class StopRequests {
 public:
  // From any thread. False: it had been asked for twice.
  bool request() { return search_.request_stop() || everything_.request_stop(); }

  std::stop_token search() const { return search_.get_token(); }
  std::stop_token everything() const { return everything_.get_token(); }
  bool asked_once() const { return search_.stop_requested(); }
  bool asked_twice() const { return everything_.stop_requested(); }

 private:
  std::stop_source search_;
  std::stop_source everything_;
};

}  // namespace pet
