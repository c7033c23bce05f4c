#include "core/util/rational.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace pet;

TEST_CASE("A float of the smallest size is exact") {
  const double tiny = std::ldexp(1.0, -149);
  CHECK(denominator_bits(exact(tiny)) == 149);
  CHECK(to_double(exact(tiny)) == tiny);
}

TEST_CASE("A rational rounds to the nearest double, ties to even") {
  CHECK(to_double(ratio(1, 3)) == 1.0 / 3.0);
  CHECK(to_double(ratio(-2, 3)) == -2.0 / 3.0);
  const Rational tie = exact(1.0) + exact(0x1p-53);
  CHECK(to_double(tie) == 1.0);
  const Rational odd_tie = exact(1.0 + 0x1p-52) + exact(0x1p-53);
  CHECK(to_double(odd_tie) == 1.0 + 0x1p-51);
}
