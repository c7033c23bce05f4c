#include "core/util/inline_vector.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <functional>
#include <vector>

using namespace pet;

namespace {

using Short = InlineVector<int, 3>;

Short of(int number) {
  Short out;
  for (int i = 0; i < number; ++i) out.push_back(10 * i);
  return out;
}

std::vector<int> elements(const Short& list) { return {list.begin(), list.end()}; }

bool lies_in(const Short& list) {
  const auto* first = reinterpret_cast<const std::byte*>(&list);
  const auto* at = reinterpret_cast<const std::byte*>(list.data());
  return std::less_equal<>()(first, at) && std::less<>()(at, first + sizeof(list));
}

}  // namespace

TEST_CASE("A short list lies where it is held, a longer one does not") {
  CHECK(lies_in(of(3)));
  CHECK_FALSE(lies_in(of(4)));
  CHECK(elements(of(4)) == std::vector<int>{0, 10, 20, 30});
  CHECK(of(0).empty());
}

TEST_CASE("Copies are lists of their own, of any length over any length") {
  for (int from = 0; from < 9; ++from) {
    for (int over = 0; over < 9; ++over) {
      const Short original = of(from);
      Short copy = of(over);
      copy = original;
      REQUIRE(copy == original);
      copy.push_back(7);
      CHECK(original == of(from));
      CHECK(copy.size() == original.size() + 1);
    }
    Short self = of(from);
    const Short& same = self;
    self = same;
    CHECK(self == of(from));
  }
}

TEST_CASE("What was moved from is empty and can be filled again") {
  for (int from = 0; from < 9; ++from) {
    for (int over = 0; over < 9; ++over) {
      Short source = of(from);
      Short target = of(over);
      target = std::move(source);
      CHECK(target == of(from));
      CHECK(source.empty());  // NOLINT: that is what is asked
      for (int i = 0; i < 5; ++i) source.push_back(i);
      CHECK(elements(source) == std::vector<int>{0, 1, 2, 3, 4});
      CHECK(target == of(from));
      const Short made(std::move(target));
      CHECK(made == of(from));
    }
  }
}

TEST_CASE("Erasing closes the gap") {
  Short list = of(5);
  list.erase(list.begin() + 1);
  CHECK(elements(list) == std::vector<int>{0, 20, 30, 40});
  list.erase(list.end() - 1);
  CHECK(elements(list) == std::vector<int>{0, 20, 30});
  list.clear();
  CHECK(list.empty());
}

TEST_CASE("Lists are ordered element by element") {
  CHECK(of(2) < of(3));
  CHECK(of(3) == of(3));
  Short larger;
  larger.push_back(1);
  CHECK(of(5) < larger);
}
