#include "gpu/lower/memory.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "core/util/rng.h"

namespace pet::gpu {
namespace {

std::size_t padded(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// The smallest gap that it fits in between those of `placed` (by offset) that live when it does.
std::size_t best_fit(const Life& life, const std::vector<const Life*>& placed) {
  const std::size_t bytes = padded(life.bytes);
  std::size_t end = 0;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::size_t smallest = best;
  for (const Life* other : placed) {
    if (!life.meets(*other)) continue;
    if (other->offset > end && other->offset - end >= bytes && other->offset - end < smallest) {
      smallest = other->offset - end;
      best = end;
    }
    end = std::max(end, other->offset + padded(other->bytes));
  }
  return best == std::numeric_limits<std::size_t>::max() ? end : best;
}

// In that order of placing; the bytes that they span.
std::size_t placed_in(const std::vector<std::size_t>& order, std::vector<Life>& lives) {
  std::vector<const Life*> placed;  // by offset
  std::size_t span = 0;
  for (const std::size_t i : order) {
    lives[i].offset = best_fit(lives[i], placed);
    span = std::max(span, lives[i].offset + padded(lives[i].bytes));
    const auto where = std::ranges::upper_bound(placed, lives[i].offset, {},
                                                [](const Life* life) { return life->offset; });
    placed.insert(where, &lives[i]);
  }
  return span;
}

// The one at the top would have found a better place, had it been earlier; now and then it is
// another one's turn, or the same few would change places for ever.
void promote(std::vector<std::size_t>& order, const std::vector<Life>& lives, Rng& rng) {
  auto chosen = std::ranges::max_element(
      order, {}, [&](std::size_t i) { return lives[i].offset + padded(lives[i].bytes); });
  if (rng.below(3) == 0)
    chosen = order.begin() + static_cast<std::ptrdiff_t>(rng.below(order.size()));
  std::rotate(order.begin(), chosen, chosen + 1);
}

}  // namespace

std::size_t place(std::vector<Life>& lives) {
  constexpr int kRounds = 200;
  constexpr std::size_t kGoodEnough = 50;  // a fiftieth above what cannot be undercut
  Rng rng(1);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    if (lives[i].bytes > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return lives[i].bytes; });
  std::size_t least = placed_in(order, lives);
  const std::size_t aim = least_span(lives) + least_span(lives) / kGoodEnough;
  std::vector<Life> tried = lives;
  for (int round = 0; round < kRounds && least > aim; ++round) {
    promote(order, tried, rng);
    const std::size_t span = placed_in(order, tried);
    if (span >= least) continue;
    least = span;
    lives = tried;
  }
  return least;
}

std::size_t least_span(const std::vector<Life>& lives) {
  std::map<std::size_t, std::ptrdiff_t> changes;
  for (const Life& life : lives) {
    changes[life.first] += static_cast<std::ptrdiff_t>(padded(life.bytes));
    changes[life.last + 1] -= static_cast<std::ptrdiff_t>(padded(life.bytes));
  }
  std::ptrdiff_t now = 0, most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

}  // namespace pet::gpu
