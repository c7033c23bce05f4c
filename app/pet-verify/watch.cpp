#include "app/pet-verify/watch.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace pet::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

}  // namespace

Watch::Watch(std::optional<double> timeout_seconds) : timeout_(timeout_seconds) {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  thread_ = std::jthread([this](const std::stop_token& finished) { run(finished); });
}

Watch::~Watch() {
  thread_.request_stop();
  thread_.join();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

double Watch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Watch::run(const std::stop_token& finished) {
  constexpr auto kTick = std::chrono::milliseconds(20);
  constexpr int kTicksPerLine = 10;
  constexpr double kSilentSeconds = 1;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  bool shown = false;
  for (int tick = 0; !finished.stop_requested(); ++tick) {
    if (interrupted != 0) ended_ = Ended::Interrupted;
    if (ended_ == Ended::No && timeout_ && seconds() > *timeout_) ended_ = Ended::TimedOut;
    if (ended_ != Ended::No) stop_.request_stop();
    if (terminal && tick % kTicksPerLine == 0 && seconds() > kSilentSeconds) {
      show();
      shown = true;
    }
    std::this_thread::sleep_for(kTick);
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

void Watch::show() const {
  std::fprintf(stderr, "\rchecking %3.0f %%  %.0f s\033[K", 100 * fraction_.load(), seconds());
  std::fflush(stderr);
}

}  // namespace pet::app
