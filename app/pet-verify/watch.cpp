#include "app/pet-verify/watch.h"

#include <fmt/format.h>

namespace pet::app {

Watch::Watch() {
  interrupts_.emplace(Interrupts::Second::EndsTheProgram, [this](int count) { look(count); });
}

Watch::~Watch() {
  interrupts_.reset();
  if (is_shown_) progress_.clear();
}

void Watch::progress(std::string_view what, double fraction) {
  const std::scoped_lock lock(guard_);
  what_ = what;
  fraction_ = fraction;
}

double Watch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Watch::look(int interrupts) {
  constexpr int kTicksPerLine = 10;
  constexpr double kSilentSeconds = 1;
  if (interrupts > 0) {
    interrupted_ = true;
    stop_.request_stop();
  }
  if (ticks_++ % kTicksPerLine != 0 || seconds() <= kSilentSeconds) return;
  const std::string time = progress_.is_on_terminal() ? fmt::format("  {:.0f} s", seconds()) : "";
  const std::scoped_lock lock(guard_);
  progress_.show(what_.empty() ? fmt::format("checking {:3.0f} %{}", 100 * fraction_, time)
                               : fmt::format("checking: {}{}", how_far(what_, fraction_), time));
  is_shown_ = true;
}

}  // namespace pet::app
