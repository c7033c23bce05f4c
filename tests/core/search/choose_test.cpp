#include "core/search/choose.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

const AxisOrder kAsItIs = {0, 1, 2};
const AxisOrder kTurned = {1, 0, 2};

double one_a_transpose(const Shape&, const AxisOrder&) { return 1; }

// x -> M0 -> Relu -> M1 -> Relu -> ... with `n` matrix products and a sum of every second and the
// one before it.
struct Chain {
  Graph graph;
  std::vector<Subprogram> products;
};

Chain chain(std::size_t n) {
  Sketch s;
  NodeId x = s.input("x", {2, 3, 4});
  NodeId before = x;
  std::vector<NodeId> products;
  for (std::size_t i = 0; i < n; ++i) {
    const NodeId product = s.op("MatMul", {x, s.ramp({4, 4}, 0.5f + static_cast<float>(i))});
    products.push_back(product);
    NodeId sum = product;
    if (i % 2 == 1) sum = s.op("Add", {product, before});
    x = s.op("Relu", {sum});
    if (i % 2 == 1) before = x;
  }
  Chain out{std::move(s).finish({x}), {}};
  for (const NodeId id : products) out.products.push_back(extract(out.graph, std::span(&id, 1)));
  return out;
}

double cost_of(const Selection& selection) { return -selection.saved_ms; }

}  // namespace

TEST_CASE("A gain that two transposes eat up is not taken alone, but it is in company") {
  const Chain c = chain(4);
  std::vector<PlaceAlternatives> places;
  for (const Subprogram& place : c.products)
    places.push_back({&place, {{1.5, {kTurned}, {kTurned}}}});
  CHECK(choose(c.graph, {places[1]}, one_a_transpose).made.empty());
  const Selection all = choose(c.graph, places, one_a_transpose);
  CHECK(all.made.size() == 4);
  CHECK(all.saved_ms == Approx(4 * 1.5 - 2));
}

TEST_CASE("Places that share a node are not chosen together") {
  const Chain c = chain(2);
  const std::vector<NodeId> both = {c.products[0].nodes[0], c.products[1].inputs[0]};
  const Subprogram pair = extract(c.graph, both);
  const std::vector<PlaceAlternatives> places = {{&c.products[0], {{3, {kAsItIs}, {kAsItIs}}}},
                                                 {&pair, {{5, {kAsItIs}, {kAsItIs}}}}};
  const Selection chosen = choose(c.graph, places, one_a_transpose);
  REQUIRE(chosen.made.size() == 1);
  CHECK(chosen.made[0].place == 1);
}

TEST_CASE("The best of several alternatives is found as by trying all of them") {
  Rng rng(5);
  for (int round = 0; round < 30; ++round) {
    const Chain c = chain(5);
    std::vector<PlaceAlternatives> places;
    for (const Subprogram& place : c.products) {
      const auto random = [&] { return static_cast<double>(rng.below(400)) / 100 - 1; };
      places.push_back({&place,
                        {{random(), {kAsItIs}, {kAsItIs}},
                         {random(), {kTurned}, {kTurned}},
                         {random(), {kAsItIs}, {kTurned}}}});
    }
    // One alternative a place at a time: what is left to choose() is where transposes go.
    double best = 0;
    for (std::size_t code = 0; code < 1024; ++code) {
      std::vector<PlaceAlternatives> some;
      double sum = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t pick = code >> (2 * i) & 3;
        if (pick == 3) continue;
        PlaceAlternatives one{places[i].place, {places[i].alternatives[pick]}};
        sum += one.alternatives[0].saved_ms;
        one.alternatives[0].saved_ms = 1000;  // so that it is taken whatever it costs
        some.push_back(std::move(one));
      }
      const Selection forced = choose(c.graph, some, one_a_transpose);
      REQUIRE(forced.made.size() == some.size());
      best = std::max(best, forced.saved_ms - 1000 * static_cast<double>(some.size()) + sum);
    }
    CHECK(-cost_of(choose(c.graph, places, one_a_transpose)) == Approx(best));
  }
}

TEST_CASE("Axes of one position may stand anywhere") {
  CHECK(canonical_order({1, 3, 4}, {1, 0, 2}) == kAsItIs);
  CHECK(canonical_order({1, 3, 4}, {2, 0, 1}) == AxisOrder{0, 2, 1});
  CHECK(canonical_order({2, 3, 1}, {2, 1, 0}) == AxisOrder{1, 0, 2});
  CHECK(canonical_order({1, 1, 1}, {2, 1, 0}) == kAsItIs);
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    Shape shape;
    for (int d = 0; d < 5; ++d) shape.push_back(rng.between(1, 3));
    AxisOrder order = identity_order(5);
    for (std::size_t i = 5; i-- > 1;) std::swap(order[i], order[rng.below(i + 1)]);
    const AxisOrder canonical = canonical_order(shape, order);
    CHECK(moves_nothing(reordered(shape, order), composed(inverse(order), canonical)));
    CHECK(canonical_order(shape, canonical) == canonical);
  }
}

TEST_CASE("No transpose is paid for where only axes of one position change places") {
  Sketch s;
  const NodeId x = s.input("x", {1, 3, 4});
  const NodeId product = s.op("MatMul", {x, s.ramp({4, 4}, 1)});
  const Graph graph = std::move(s).finish({product});
  const Subprogram place = extract(graph, std::span(&product, 1));
  const Selection chosen =
      choose(graph, {{&place, {{0.5, {kTurned}, {kTurned}}}}}, one_a_transpose);
  CHECK(chosen.made.size() == 1);
  CHECK(chosen.transposed.empty());
}
