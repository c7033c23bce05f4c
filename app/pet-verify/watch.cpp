#include "app/pet-verify/watch.h"

#include <unistd.h>

#include <cstdio>

namespace pet::app {

Watch::Watch() {
  interrupts_.emplace(Interrupts::Second::EndsTheProgram, [this](int count) { look(count); });
}

Watch::~Watch() {
  interrupts_.reset();
  if (shown_) std::fputs("\r\033[K", stderr);
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
  if (ticks_++ % kTicksPerLine == 0 && seconds() > kSilentSeconds && isatty(STDERR_FILENO) != 0) {
    show();
    shown_ = true;
  }
}

void Watch::show() const {
  std::fprintf(stderr, "\rchecking %3.0f %%  %.0f s\033[K", 100 * fraction_.load(), seconds());
  std::fflush(stderr);
}

}  // namespace pet::app
