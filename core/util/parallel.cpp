#include "core/util/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace pet {

void share_out(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t)>& run) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) run(i);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(work);
  work();
}

}  // namespace pet
