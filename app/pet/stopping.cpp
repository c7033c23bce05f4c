#include "app/pet/stopping.h"

#include <algorithm>
#include <csignal>

namespace pet::app {

Stopping::Stopping(std::function<void(int)> tell)
    : tell_(std::move(tell)),
      interrupts_(Interrupts::Second::IsCounted, [this](int count) { look(count); }) {
  std::signal(SIGPIPE, SIG_IGN);
}

void Stopping::look(int count) {
  const int heard = requests_.asked_twice() ? 2 : requests_.asked_once() ? 1 : 0;
  for (int i = heard; i < std::min(count, 2); ++i) requests_.request();
  if (tell_ && count > heard && heard < 2) tell_(std::min(count, 2));
}

}  // namespace pet::app
