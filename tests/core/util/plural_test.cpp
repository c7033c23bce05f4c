#include "core/util/plural.h"

#include <catch2/catch.hpp>

using pet::plural;

TEST_CASE("One thing has its noun, more of them or none have its plural") {
  CHECK(plural(1, "opaque node") == "1 opaque node");
  CHECK(plural(0, "node") == "0 nodes");
  CHECK(plural(2, "zero") == "2 zeros");
  CHECK(plural(1, "box") == "1 box");
  CHECK(plural(21, "box") == "21 boxes");
  CHECK(plural(2, "pass") == "2 passes");
}
