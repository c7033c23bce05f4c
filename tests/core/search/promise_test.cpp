#include "core/search/promise.h"

#include <catch2/catch.hpp>

namespace pet {
namespace {

TEST_CASE("A file saves the original's time less what the ratio leaves of it") {
  Comparison comparison;
  comparison.timing = {{9, 10, 30}, {5, 5, 5}};
  comparison.ratio.median = 2;
  CHECK(saved_ms(comparison) == Approx(5));
}

TEST_CASE("What is decided against does not promise anything, what is open does by its median") {
  Comparison look;
  look.ratio.median = 1.2;
  look.decision = Decision::Undecided;
  CHECK(is_promising(look));
  look.ratio.median = 0.99;
  CHECK_FALSE(is_promising(look));
  look.ratio.median = 1.2;
  for (const Decision decision : {Decision::Tie, Decision::Slower}) {
    look.decision = decision;
    CHECK_FALSE(is_promising(look));
  }
  look.decision = Decision::Faster;
  CHECK(is_promising(look));
}

TEST_CASE("A plan may beat a file by all that it promises, and by a tenth more") {
  const Kept file{10, 6};  // it kept less
  CHECK(may_beat(6, file));
  CHECK(may_beat(5.5, file));
  CHECK_FALSE(may_beat(5.4, file));
}

TEST_CASE("Where a file kept more than its promise others are taken to do so, too") {
  const Kept file{5, 10};
  CHECK(may_beat(5, file));
  CHECK(may_beat(4.6, file));
  CHECK_FALSE(may_beat(4.5, file));
}

TEST_CASE(
    "A file that saves nothing leaves a chance to all, one without a promise to what says more") {
  CHECK(may_beat(0, {5, 0}));
  CHECK(may_beat(0, {5, -1}));
  CHECK(may_beat(2, {0, 2}));
  CHECK_FALSE(may_beat(1, {0, 2}));
}

}  // namespace
}  // namespace pet
