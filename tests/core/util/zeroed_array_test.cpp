#include "core/util/zeroed_array.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>

namespace pet {
namespace {

constexpr std::size_t kLarge = 3'000'001;  // of 8 bytes: in pages of its own

TEST_CASE("An array is zero at first, small or large, also where one was given back") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, kLarge}) {
    for (int i = 0; i < 3; ++i) {
      ZeroedArray<double> array(size);
      const auto values = array.values();
      REQUIRE(values.size() == size);
      CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(std::max_align_t) == 0);
      CHECK(std::ranges::all_of(values, [](double x) { return x == 0; }));
      std::ranges::fill(values, 7);
      CHECK(values.back() == 7);
    }
  }
}

TEST_CASE("Arrays are values") {
  for (const std::size_t size : {std::size_t{3}, kLarge}) {
    ZeroedArray<std::uint32_t> one(size);
    one.values()[size - 1] = 5;
    ZeroedArray<std::uint32_t> other = one;
    other.values()[size - 1] = 6;
    CHECK(one.values()[size - 1] == 5);
    one = std::move(other);
    CHECK(one.values()[size - 1] == 6);
    CHECK(one.values().size() == size);
  }
  CHECK(ZeroedArray<int>().values().empty());
  CHECK(ZeroedArray<int>(0).values().empty());
}

TEST_CASE("More than any machine has is refused") {
  CHECK_THROWS_AS(zeroed_memory(SIZE_MAX / 2), std::bad_alloc);
}

}  // namespace
}  // namespace pet
