// Independent pieces of work on a few threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stop_token>

namespace pet {

// On several threads. Private to parallel_for.
void share_out(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& run);

// Calls run(i) once for every i in [0, count), on up to `threads` threads including this one.
// Exceptions do not cross.
template <class Run>
void parallel_for(std::size_t count, std::size_t threads, const Run& run) {
  if (std::min(count, threads) > 1) return share_out(count, threads, std::cref(run));
  for (std::size_t i = 0; i < count; ++i) run(i);
}

// Calls run(first, last) for [0, size) in parts of 65,536 elements or less, shared out as
// parallel_for does; one thread takes them in order. Parts that a stop comes before are left out:
// what was computed may not be used then.
template <class Run>
void for_each_part(std::size_t size, std::size_t threads, const std::stop_token& stop,
                   const Run& run) {
  constexpr std::size_t kPart = 1 << 16;
  parallel_for((size + kPart - 1) / kPart, threads, [&](std::size_t part) {
    if (!stop.stop_requested()) run(part * kPart, std::min(size, (part + 1) * kPart));
  });
}

}  // namespace pet
