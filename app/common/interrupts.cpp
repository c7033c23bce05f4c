#include "app/common/interrupts.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace pet::app {
namespace {

std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler touches it");

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

extern "C" void on_interrupt(int) { ++interrupts; }

}  // namespace

Interrupts::Interrupts(Second second, std::function<void(int count)> tick) {
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  if (second == Second::EndsTheProgram) action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    // nohup asks for that. (A shell that starts this in the background has SIGINT ignored,
    // unasked.)
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
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
  for (const int signal : kSignals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == on_interrupt) std::signal(signal, SIG_DFL);
  }
}

}  // namespace pet::app
