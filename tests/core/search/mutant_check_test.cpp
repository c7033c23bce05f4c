#include "core/search/mutant_check.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/views.h"
#include "tests/support/weights.h"
#include "verify/pairs/search_checker.h"

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
  BitmapChecker checker;  // knows of no regions
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SearchConfig config;
    config.seed = seed;
    const MutantCheck check(config, checker, {});
    if (check.thinly(product(false), product(true)).outcome == Outcome::Equivalent) ++missed;
    const Checked found = check.in_part(product(false), product(true));
    CHECK(found.outcome == Outcome::Partial);
    CHECK(found.everywhere());
  }
  CHECK(missed > 0);
}

// Two images, each convolved by a kernel of 3 along its rows.
Graph rows(bool joined) {
  Rng rng(2);
  GraphBuilder b;
  NodeId x = b.add_input("x", float_tensor({2, 4, 10}));
  const NodeId weight = test::normal_weight(b, {4, 4, 3}, rng);
  if (joined) {
    x = *b.add(ops::transpose(), {{"perm", Ints{1, 0, 2}}}, {x});
    x = *b.add(ops::reshape(), {{"shape", Ints{1, 4, 20}}}, {x});
  }
  NodeId y = *b.add(ops::conv(), {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}}, {x, weight});
  if (joined) {
    y = *b.add(ops::reshape(), {{"shape", Ints{4, 2, 10}}}, {y});
    y = *b.add(ops::transpose(), {{"perm", Ints{1, 0, 2}}}, {y});
  }
  b.add_output(y);
  return std::move(b).build();
}

TEST_CASE("Where the region engine knows, every position is decided, and alike") {
  SearchChecker checker;
  const SearchConfig config;
  const MutantCheck check(config, checker, {});
  const Checked by_regions = check.in_part(rows(false), rows(true));
  const Checked by_residues = check.everywhere(rows(false), rows(true));
  CHECK(by_regions.by == Checked::By::Regions);
  CHECK(by_residues.by == Checked::By::Bitmap);
  CHECK(by_regions.outcome == Outcome::Partial);
  REQUIRE(by_regions.wrong);
  CHECK(to_string(*by_regions.wrong) == "[0,1)x[0,4)x[9,10) [1,2)x[0,4)x[0,1)");
  CHECK(to_string(*by_regions.wrong) == to_string(*by_residues.wrong));
}

TEST_CASE("What is equal over the reals alone is enough until it is to be used") {
  const auto program = [](bool shifted) {
    GraphBuilder b;
    NodeId x = b.add_input("x", float_tensor({4}));
    if (shifted) {
      const NodeId large = b.add_scalar(1e30F);
      x = *b.add(ops::sub(), {}, {*b.add(ops::add(), {}, {x, large}), large});
    }
    b.add_output(*b.add(ops::identity(), {}, {x}));
    return std::move(b).build();
  };
  SearchChecker checker;
  const SearchConfig config;
  const MutantCheck check(config, checker, {});
  const Checked quick = check.thinly(program(false), program(true));
  CHECK(quick.outcome == Outcome::Equivalent);
  CHECK(quick.by == Checked::By::Regions);
  CHECK(check.in_part(program(false), program(true)).outcome == Outcome::Equivalent);
  CHECK(check.everywhere(program(false), program(true)).outcome == Outcome::Equivalent);
  CHECK(check.everywhere(program(false), program(true), Floats::Drawn).outcome == Outcome::Unknown);
}

}  // namespace
}  // namespace pet
