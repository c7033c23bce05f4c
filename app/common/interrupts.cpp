#include "app/common/interrupts.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace pet::app {
namespace {

std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler touches it");

extern "C" void on_interrupt(int) { ++interrupts; }

}  // namespace

Interrupts::Interrupts(Second second, std::function<void(int count)> tick) {
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  if (second == Second::EndsTheProgram) action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  watcher_ = std::jthread([tick = std::move(tick)](const std::stop_token& done) {
    while (!done.stop_requested()) {
      tick(interrupts);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
}

Interrupts::~Interrupts() {
  watcher_.request_stop();
  watcher_.join();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace pet::app
