#include "core/util/name_pattern.h"

#include <catch2/catch.hpp>

using namespace pet;

TEST_CASE("A star stands for any characters, slashes as well, and a question mark for one") {
  CHECK(matches_any("/layer1/conv", {"/layer*"}));
  CHECK(matches_any("/layer1/conv", {"other", "/layer?/conv"}));
  CHECK_FALSE(matches_any("/layer1/conv", {"/layer?"}));
  CHECK_FALSE(matches_any("conv", {}));
}
