#include "core/util/parallel.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

using namespace pet;

namespace {

using Parts = std::vector<std::pair<std::size_t, std::size_t>>;

Parts parts_of(std::size_t size, std::size_t threads) {
  Parts out;
  std::mutex mutex;
  for_each_part(size, threads, {}, [&](std::size_t first, std::size_t last) {
    const std::scoped_lock lock(mutex);
    out.emplace_back(first, last);
  });
  return out;
}

}  // namespace

TEST_CASE("Parts hold everything once, and one thread takes them in order") {
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 65535, 65536, 65537, 300000}) {
    std::size_t next = 0;
    for (const auto& [first, last] : parts_of(size, 1)) {
      CHECK(first == next);
      CHECK(last > first);
      next = last;
    }
    CHECK(next == size);
  }
}

TEST_CASE("Several threads share the parts out, none twice") {
  Parts parts = parts_of(1'000'000, 3);
  std::sort(parts.begin(), parts.end());
  CHECK(parts == parts_of(1'000'000, 1));
}

TEST_CASE("After a stop no part begins") {
  std::stop_source stop;
  Parts seen;
  for_each_part(300'000, 1, stop.get_token(), [&](std::size_t first, std::size_t last) {
    seen.emplace_back(first, last);
    if (seen.size() == 2) stop.request_stop();
  });
  CHECK(seen == Parts{{0, 65536}, {65536, 131072}});
}
