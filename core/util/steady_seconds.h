// The clock of whoever is handed none.
#pragma once

#include <chrono>

namespace pet {

inline double steady_seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace pet
