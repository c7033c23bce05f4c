// Watches over a proof: stops it on Ctrl-C or at the time limit, and shows on a terminal how far it
// is.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <stop_token>

#include "app/common/interrupts.h"

namespace pet::app {

class Watch {
 public:
  enum class Ended { No, Interrupted, TimedOut };

  // At most one lives at a time: it owns the reaction to Ctrl-C.
  explicit Watch(std::optional<double> timeout_seconds);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  void progress(double fraction) { fraction_ = fraction; }
  Ended ended() const { return ended_; }
  double seconds() const;

 private:
  void look(int interrupts);
  void show() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<double> timeout_;
  std::stop_source stop_;
  std::atomic<double> fraction_ = 0;
  std::atomic<Ended> ended_ = Ended::No;
  int ticks_ = 0;
  bool shown_ = false;
  std::optional<Interrupts> interrupts_;  // last: its thread uses all of the above
};

}  // namespace pet::app
