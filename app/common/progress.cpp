#include "app/common/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/common/command_line.h"

namespace pet::app {

std::string how_far(std::string_view what, double fraction) {
  if (!(fraction > 0)) return std::string(what);
  return fmt::format("{}, {:.0f} %", what, 100 * fraction);
}

Progress::Progress() : Progress(::isatty(STDERR_FILENO) == 1, std::chrono::seconds(15), say) {}

Progress::Progress(bool on_terminal, std::chrono::milliseconds every, Tell tell)
    : on_terminal_(on_terminal), tell_(std::move(tell)) {
  if (on_terminal_) return;
  teller_ = std::jthread([this, every](const std::stop_token& done) { tell_every(every, done); });
}

void Progress::show(std::string_view line) const {
  constexpr std::size_t kLongest = 150;
  const std::lock_guard lock(mutex_);
  line_ = line.substr(0, kLongest);
  if (on_terminal_) tell_(erasing() + line_);
}

void Progress::tell_every(std::chrono::milliseconds every, const std::stop_token& done) const {
  std::unique_lock lock(mutex_);
  while (!wakes_.wait_for(lock, done, every, [&done] { return done.stop_requested(); })) {
    if (done.stop_requested()) return;
    const auto seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (!line_.empty()) tell_(fmt::format("after {:.0f} s: {}\n", seconds, line_));
  }
}

std::string Progress::erasing() const { return on_terminal_ ? "\r\033[K" : ""; }

}  // namespace pet::app
