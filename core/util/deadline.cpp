#include "core/util/deadline.h"

#include <chrono>

namespace pet {

Deadline::Deadline(double seconds, std::stop_token outer)
    : passed_on_(std::move(outer), [this] { stop_.request_stop(); }),
      timer_([this, seconds](const std::stop_token& ended) {
        std::unique_lock lock(mutex_);
        wakes_.wait_for(lock, ended, std::chrono::duration<double>(seconds),
                        [&] { return ended.stop_requested(); });
        if (!ended.stop_requested()) stop_.request_stop();
      }) {}

}  // namespace pet
