#include "app/common/interrupts.h"

#include <semaphore.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace pet::app {
namespace {

std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler touches it");

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// What the watcher sleeps on: of all that wakes a thread, a handler may use this.
sem_t wakes;

extern "C" void on_interrupt(int) {
  const int before = errno;
  ++interrupts;
  sem_post(&wakes);
  errno = before;
}

void sleep_until_woken(long nanoseconds) {
  constexpr long kSecond = 1'000'000'000;
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);  // the other one may be set back by hours
  until.tv_nsec += nanoseconds;
  until.tv_sec += until.tv_nsec / kSecond;
  until.tv_nsec %= kSecond;
  sem_clockwait(&wakes, CLOCK_MONOTONIC, &until);
}

}  // namespace

Interrupts::Interrupts(Second second, std::function<void(int count)> tick) {
  interrupts = 0;
  sem_init(&wakes, 0, 0);
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
    constexpr long kTick = 20'000'000;
    while (!done.stop_requested()) {
      tick(interrupts);
      sleep_until_woken(kTick);
    }
  });
}

Interrupts::~Interrupts() {
  watcher_.request_stop();
  sem_post(&wakes);
  watcher_.join();
  for (const int signal : kSignals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == on_interrupt) std::signal(signal, SIG_DFL);
  }
  sem_destroy(&wakes);
}

}  // namespace pet::app
