#include "app/pet/progress.h"

#include <unistd.h>

#include "app/common/command_line.h"

namespace pet::app {

Progress::Progress() : on_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::string_view line) const {
  constexpr std::size_t kLongest = 150;
  if (on_) say(erasing().append(line.substr(0, kLongest)));
}

std::string Progress::erasing() const { return on_ ? "\r\033[K" : ""; }

}  // namespace pet::app
