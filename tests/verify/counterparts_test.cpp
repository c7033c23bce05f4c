// Elements of two programs brought together by their values.
#include "verify/rounding/counterparts.h"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/util/rng.h"

namespace pet {
namespace {

std::vector<Hash128> drawn(std::size_t number, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Hash128> keys(number);
  for (Hash128& key : keys) key = {rng.next() % 300, rng.next() % 5};
  return keys;
}

TEST_CASE("Equal keys have one slot and different keys have two, however many are wanted") {
  Counterparts counterparts;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Counterparts::Slot> seen;
  std::set<Counterparts::Slot> slots;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto keys = drawn(700, seed);
    const auto found = counterparts.want(keys);
    REQUIRE(found.size() == keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto [it, is_new] = seen.try_emplace({keys[i].low, keys[i].high}, found[i]);
      CHECK(it->second == found[i]);
      CHECK(slots.insert(found[i]).second == is_new);
    }
  }
}

TEST_CASE("A wanted element has the smallest size of all that have its value, or none") {
  Counterparts counterparts;
  const auto slots = counterparts.want({{1, 1}, {2, 1}, {1, 2}});
  const auto matches = counterparts.find({{7, 7}, {1, 2}, {1, 1}, {1, 2}});
  REQUIRE(matches.size() == 3);
  counterparts.forget_keys();
  counterparts.forget_sizes();
  counterparts.offer(matches, std::array{9.0, 5.0, 3.0, 4.0});
  CHECK(counterparts.size(slots[0]) == 3);
  CHECK(counterparts.size(slots[1]) < 0);
  CHECK(counterparts.size(slots[2]) == 4);
}

}  // namespace
}  // namespace pet
