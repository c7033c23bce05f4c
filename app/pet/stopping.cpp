#include "app/pet/stopping.h"

#include <chrono>
#include <csignal>

namespace pet::app {
namespace {

std::atomic<int> interrupts{0};

extern "C" void on_interrupt(int) { ++interrupts; }

}  // namespace

Stopping::Stopping()
    : watcher_([this](std::stop_token done) {
        while (!done.stop_requested()) {
          if (interrupts >= 1) search_.request_stop();
          if (interrupts >= 2) everything_.request_stop();
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
      }) {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);
}

Stopping::~Stopping() { std::signal(SIGINT, SIG_DFL); }

}  // namespace pet::app
