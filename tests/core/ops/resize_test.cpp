#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

Result<NodeId> resized(GraphBuilder& b, Dim from, Dim to, const char* coordinates) {
  const NodeId x = b.add_input("x", float_tensor({from}));
  return b.add(ops::resize(),
               {{"mode", std::string("linear")},
                {"coordinate_transformation_mode", std::string(coordinates)},
                {"sizes", Ints{to}}},
               {x});
}

bool has_meaning(Dim from, Dim to, const char* coordinates) {
  GraphBuilder b;
  const auto y = resized(b, from, to, coordinates);
  if (!y) CHECK(y.error().kind == ErrorKind::Unsupported);
  return y.ok();
}

}  // namespace

TEST_CASE("A linear resize has a meaning where floats weigh the neighbours as exact numbers do") {
  CHECK(has_meaning(3, 7, "half_pixel"));
  CHECK(has_meaning(512, 1024, "half_pixel"));
  CHECK(has_meaning(512, 1023, "align_corners"));
  // Position 1500 lies at 499.8333...: off by 2^-15 in floats.
  CHECK_FALSE(has_meaning(512, 1536, "half_pixel"));
  CHECK_FALSE(has_meaning(1000, 700, "asymmetric"));
}

TEST_CASE("A linear resize reads a neighbour that has no weight") {
  GraphBuilder b;
  const auto y = resized(b, 2, 4, "half_pixel");
  REQUIRE(y.ok());
  b.add_output(*y);
  const Graph program = std::move(b).build();
  // Position 0 lies before element 0, and position 3 behind element 1.
  const auto& terms = program.meaning(program.outputs()[0]).sum.terms;
  REQUIRE(terms.size() == 3);
  const auto reads = [&](std::size_t term, Dim position, Dim element) {
    const Ints at{position};
    return terms[term].factors[0].index[0].value(at) == element &&
           std::ranges::all_of(terms[term].guards, [&](const Guard& g) { return g.holds(at); });
  };
  CHECK(reads(1, 0, 0));
  CHECK(terms[1].coef.at(Ints{0}) == 1);
  CHECK(reads(2, 0, 1));
  CHECK(terms[2].coef.at(Ints{0}) == 0);
  CHECK_FALSE(reads(2, 1, 1));
}
