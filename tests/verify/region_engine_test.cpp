#include "verify/region/region_engine.h"

#include <catch2/catch.hpp>
#include <iterator>
#include <set>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/views.h"
#include "tests/support/seeded.h"
#include "verify/region/partition.h"
#include "verify/values/value_table.h"

using namespace pet;

namespace {

Outcome outcome_of(const Graph& a, const Graph& b) {
  return RegionEngine().check(a, b, {}).outcome;
}

NodeId reversed(GraphBuilder& b, NodeId x, std::int64_t axis) {
  const Dim extent = (*b.type(x).shape)[static_cast<std::size_t>(axis)];
  return *b.add(
      ops::slice(),
      {{"axes", Ints{axis}}, {"starts", Ints{extent - 1}}, {"ends", Ints{-1}}, {"steps", Ints{-1}}},
      {x});
}

// relu(x · k) · w, with the columns of k and the rows of w in their order or reversed.
Graph two_layers(bool reverse_first, bool reverse_second, Dim size) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  NodeId k = b.add_input("k", float_tensor({3, size}));
  NodeId w = b.add_input("w", float_tensor({size, 2}));
  if (reverse_first) k = reversed(b, k, 1);
  if (reverse_second) w = reversed(b, w, 0);
  const NodeId hidden = *b.add(ops::relu(), {}, {*b.add(ops::mat_mul(), {}, {x, k})});
  b.add_output(*b.add(ops::mat_mul(), {}, {hidden, w}));
  return std::move(b).build();
}

Graph conv(const Shape& data, const Shape& kernel, bool joined) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor(data));
  const NodeId k = b.add_input("k", float_tensor(kernel));
  const Attrs pads{{"pads", Ints{1, 1, 1, 1}}};
  const NodeId in = joined ? *views::stack(b, x, 0, 3, 2) : x;
  const NodeId y = *b.add(ops::conv(), pads, {in, k});
  b.add_output(joined ? *views::unstack(b, y, 0, 3, 2) : y);
  return std::move(b).build();
}

}  // namespace

TEST_CASE("Two images side by side are wrong in two boxes of digits (PET, Figure 1)") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = rng.between(5, 60);
  const Dim images = 2 * rng.between(1, 8);
  const auto regions = not_shown_equal(conv({images, 16, size, size}, {8, 16, 3, 3}, false),
                                       conv({images, 16, size, size}, {8, 16, 3, 3}, true), {});
  REQUIRE(regions);
  const Region& wrong = regions->front();
  CHECK(wrong.volume() == images * 8 * size);  // a column of each
  CHECK(wrong.boxes.size() == 2);
  const auto marked = wrong.points();
  Dim seen = 0;
  for (Dim n = 0; n < images; ++n) {
    const Dim column = n % 2 == 0 ? size - 1 : 0;
    for (Dim row = 0; row < 8 * size; ++row)
      seen += marked[static_cast<std::size_t>((n * 8 * size + row) * size + column)];
  }
  CHECK(seen == wrong.volume());
}

TEST_CASE("Two images side by side: 6 of the 18 boxes that PET counts are wrong") {
  const Graph original = conv({16, 4, 56, 56}, {4, 4, 3, 3}, false);
  const Graph mutant = conv({16, 4, 56, 56}, {4, 4, 3, 3}, true);
  ValueTable table(original, mutant, ValueTable::Weights::Symbols);
  while (table.next_of_mutant()) continue;
  region::LeafTable leaves;
  using region::Expander;
  Expander first(original, Expander::Side::Original, table, leaves, {});
  Expander second(mutant, Expander::Side::Mutant, table, leaves, {});
  const auto parts =
      region::partition(first, original.outputs()[0], second, mutant.outputs()[0], leaves);
  REQUIRE(parts);
  CHECK(parts->basis.digits[0] == Shape{8, 2});
  // PET lets every cut go through the whole output.
  std::vector<std::set<Dim>> cuts(parts->pieces.front().box.size());
  for (const region::Piece& piece : parts->pieces) {
    for (std::size_t d = 0; d < cuts.size(); ++d) cuts[d].insert(piece.box[d].low);
  }
  std::size_t all = 1;
  for (const auto& starts : cuts) all *= starts.size();
  CHECK(all == 18);
  std::size_t wrong = 0;
  for (const region::Piece& piece : parts->pieces) {
    if (piece.finding == region::Finding::Identical) continue;
    std::size_t cells = 1;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
      const auto from = cuts[d].lower_bound(piece.box[d].low);
      const auto to = cuts[d].lower_bound(piece.box[d].high);
      cells *= static_cast<std::size_t>(std::distance(from, to));
    }
    wrong += cells;
  }
  CHECK(wrong == 6);
}

TEST_CASE("What a function is applied to moves with the sum that it is part of") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = rng.between(2, 7);
  const Graph plain = two_layers(false, false, size);
  CHECK(outcome_of(plain, two_layers(true, true, size)) == Outcome::Equivalent);
  CHECK(outcome_of(plain, two_layers(true, false, size)) == Outcome::Different);
  CHECK(outcome_of(plain, two_layers(false, true, size)) == Outcome::Different);
}

TEST_CASE("A function within a function moves with the outermost sum") {
  // Σ_c w[c] · sigmoid(relu(x · k)[c] + 1) and the same with the columns of k reversed.
  const auto build = [](bool reverse) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({2, 3}));
    NodeId k = b.add_input("k", float_tensor({3, 4}));
    const NodeId w = b.add_input("w", float_tensor({4, 1}));
    if (reverse) k = reversed(b, k, 1);
    const NodeId inner = *b.add(ops::relu(), {}, {*b.add(ops::mat_mul(), {}, {x, k})});
    const NodeId outer =
        *b.add(ops::sigmoid(), {}, {*b.add(ops::add(), {}, {inner, b.add_scalar(1)})});
    b.add_output(*b.add(ops::mat_mul(), {}, {outer, w}));
    return std::move(b).build();
  };
  CHECK(outcome_of(build(false), build(false)) == Outcome::Equivalent);
  CHECK(outcome_of(build(false), build(true)) == Outcome::Different);
}

TEST_CASE("A reciprocal may be applied to less than the original applies it to, not to more") {
  // x added, and 1/x over so many columns added and taken away.
  const auto build = [](Dim columns) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({3, 6}));
    const NodeId part = *views::slice(b, x, 1, 0, columns);
    const NodeId r = *b.add(ops::reciprocal(), {}, {part});
    const NodeId padded = *views::pad(b, *b.add(ops::sub(), {}, {r, r}), 1, 0, 6 - columns);
    b.add_output(*b.add(ops::add(), {}, {x, padded}));
    return std::move(b).build();
  };
  CHECK(outcome_of(build(4), build(4)) == Outcome::Equivalent);
  CHECK(outcome_of(build(4), build(2)) == Outcome::Equivalent);
  CHECK(outcome_of(build(4), build(5)) == Outcome::Unknown);
  CHECK(outcome_of(build(4), build(6)) == Outcome::Unknown);
}

TEST_CASE("Reversed rows of a softmax are other rows, but where they are their own mirror image") {
  const auto build = [](bool reverse) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({2, 5}));
    const NodeId y = *b.add(ops::softmax(), {{"axis", std::int64_t{1}}}, {x});
    b.add_output(reverse ? reversed(b, y, 1) : y);
    return std::move(b).build();
  };
  const Verdict verdict = RegionEngine().check(build(false), build(true), {});
  CHECK(verdict.outcome == Outcome::Partial);
  CHECK(verdict.outputs[0].equal == 2);  // the middle of each row
  CHECK(outcome_of(build(true), build(true)) == Outcome::Equivalent);
}

TEST_CASE(
    "Products of one input with itself at two speeds agree nowhere but at their first place") {
  // x[2v] · x[2v + 1] and x[3v] · x[v + 1] are equal at v = 0 and v = 1 alone (theory: section 1).
  const auto build = [](bool second) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({20}));
    const auto strided = [&](Dim low, Dim step) { return *views::slice(b, x, 0, low, 6, step); };
    b.add_output(second ? *b.add(ops::mul(), {}, {strided(0, 3), strided(1, 1)})
                        : *b.add(ops::mul(), {}, {strided(0, 2), strided(1, 2)}));
    return std::move(b).build();
  };
  const Verdict verdict = RegionEngine().check(build(false), build(true), {});
  CHECK(verdict.outcome == Outcome::Partial);
  CHECK(verdict.outputs[0].equal == 2);
  CHECK(verdict.outputs[0].different == 4);
}

TEST_CASE("An operator without a meaning of ours can tell -0 from 0") {
  const auto build = [](float zero) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({3}));
    const NodeId number =
        b.add_constant(std::make_shared<const Tensor>(Tensor::of_floats({1}, {zero})));
    const NodeId y = b.add_opaque("test::F", {}, {number}, float_tensor({3}));
    b.add_output(*b.add(ops::add(), {}, {x, y}));
    return std::move(b).build();
  };
  CHECK(outcome_of(build(-0.0F), build(-0.0F)) == Outcome::Equivalent);
  CHECK(outcome_of(build(0), build(-0.0F)) == Outcome::Unknown);
}

TEST_CASE("An operator without a meaning of ours counts where no output needs it, too") {
  const auto build = [](bool dead) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({3}));
    if (dead) b.add_opaque("test::F", {}, {x}, float_tensor({3}));
    b.add_output(*b.add(ops::relu(), {}, {x}));
    return std::move(b).build();
  };
  CHECK(outcome_of(build(true), build(true)) == Outcome::Equivalent);
  CHECK(outcome_of(build(true), build(false)) == Outcome::Equivalent);
  CHECK(outcome_of(build(false), build(true)) == Outcome::Unknown);
}

// Values that have no element are equal, in however many ways they are computed.
TEST_CASE(
    "An operator without a meaning of ours may read an empty tensor that is computed otherwise") {
  const auto build = [](bool twice) {
    GraphBuilder b;
    NodeId x = b.add_input("x", float_tensor({4, 6}));
    if (twice) x = *b.add(ops::neg(), {}, {*b.add(ops::neg(), {}, {x})});
    const NodeId none = *b.add(
        ops::slice(),
        Attrs{{"starts", Ints{0}}, {"ends", Ints{0}}, {"axes", Ints{0}}, {"steps", Ints{1}}}, {x});
    b.add_output(b.add_opaque("test::F", {}, {none}, float_tensor({0, 6})));
    b.add_output(none);
    return std::move(b).build();
  };
  CHECK(outcome_of(build(false), build(true)) == Outcome::Equivalent);
}
