// Watches over proofs: stops them on Ctrl-C, and shows how far they are.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/common/interrupts.h"
#include "app/common/progress.h"

namespace pet::app {

class Watch {
 public:
  // At most one lives at a time: it owns the reaction to Ctrl-C.
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  // Of what is asked for there.
  void progress(double fraction) { progress({}, fraction); }
  // Of one question on the way.
  void progress(std::string_view what, double fraction);
  bool interrupted() const { return interrupted_; }

 private:
  void look(int interrupts);
  double seconds() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::stop_source stop_;
  std::mutex guard_;  // of both
  std::string what_;
  double fraction_ = 0;
  std::atomic<bool> interrupted_ = false;
  int ticks_ = 0;
  bool is_shown_ = false;
  Progress progress_;
  std::optional<Interrupts> interrupts_;  // last: its thread uses all of the above
};

}  // namespace pet::app
