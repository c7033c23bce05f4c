#include "gpu/lower/memory.h"

#include <catch2/catch.hpp>

#include "tests/support/seeded.h"

namespace pet::gpu {
namespace {

// As programs have them: most values live shortly, some long.
std::vector<Life> random_lives(Rng& rng) {
  std::vector<Life> out;
  const std::uint64_t launches = 1 + rng.below(60);
  for (std::uint64_t i = 0; i < launches; ++i) {
    const std::uint64_t reach = rng.below(6) == 0 ? launches : 4;
    const std::size_t last = std::min<std::size_t>(launches, i + rng.below(reach));
    out.push_back(
        {.bytes = (std::size_t{1} << rng.below(20)) + rng.below(1000), .first = i, .last = last});
  }
  return out;
}

bool overlap(const Life& a, const Life& b) {
  return a.bytes > 0 && b.bytes > 0 && a.meets(b) && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

TEST_CASE("Buffers that live at the same time do not overlap, and little room is wasted") {
  test::Seeded rng(7);
  for (int i = 0; i < 10000; ++i) {
    std::vector<Life> lives = random_lives(rng);
    const std::size_t span = place(lives);
    bool wrong = false;
    for (std::size_t a = 0; a < lives.size(); ++a) {
      wrong = wrong || lives[a].offset % kAlignment != 0 || lives[a].offset + lives[a].bytes > span;
      for (std::size_t b = a + 1; b < lives.size(); ++b)
        wrong = wrong || overlap(lives[a], lives[b]);
    }
    REQUIRE_FALSE(wrong);
    REQUIRE(static_cast<double>(span) <= 1.25 * static_cast<double>(least_span(lives)));
  }
}

}  // namespace
}  // namespace pet::gpu
