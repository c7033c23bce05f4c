// Independent pieces of work on a few threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

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

}  // namespace pet
