#include "core/search/mutant_check.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/views.h"
#include "tests/support/weights.h"
#include "verify/bitmap_checker.h"

namespace pet {
namespace {

constexpr Dim kChannels = 64;

// One place of many channels, of which at most one is drawn: the last one of the mutant is wrong.
Graph product(bool last_is_wrong) {
  Rng rng(1);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 4}));
  NodeId y = *b.add(ops::mat_mul(), {}, {x, test::normal_weight(b, {4, kChannels}, rng)});
  if (last_is_wrong) {
    const auto first = views::slice(b, y, 1, 0, kChannels - 1);
    const auto copy = views::slice(b, y, 1, 0, 1);
    y = *views::concat(b, std::vector{*first, *copy}, 1);
  }
  b.add_output(y);
  return std::move(b).build();
}

TEST_CASE("What was seen to be wrong is not called equal because no wrong channel was drawn") {
  BitmapChecker checker;
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SearchConfig config;
    config.seed = seed;
    const MutantCheck check(config, checker, {});
    if (check.thinly(product(false), product(true)).outcome == Outcome::Equivalent) ++missed;
    const Checked found = check.in_part(product(false), product(true));
    CHECK(found.outcome == Outcome::Partial);
    CHECK(found.everywhere);
  }
  CHECK(missed > 0);
}

}  // namespace
}  // namespace pet
