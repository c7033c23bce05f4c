// Independent pieces of work on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace pet {

// Calls run(i) once for every i in [0, count), on up to `threads` threads including this one.
// Exceptions do not cross.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& run);

}  // namespace pet
