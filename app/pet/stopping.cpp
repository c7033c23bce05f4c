#include "app/pet/stopping.h"

#include <csignal>

namespace pet::app {

Stopping::Stopping(std::function<void(int)> tell)
    : tell_(std::move(tell)),
      interrupts_(Interrupts::Second::IsCounted, [this](int count) { look(count); }) {
  std::signal(SIGPIPE, SIG_IGN);
}

void Stopping::look(int count) {
  const bool first = count >= 1 && search_.request_stop();
  const bool second = count >= 2 && everything_.request_stop();
  if (tell_ && (first || second)) tell_(second ? 2 : 1);
}

}  // namespace pet::app
