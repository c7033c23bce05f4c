// A normalisation folded where several terms read one weight.
#include "core/program/fold_batch_norm.h"

#include "tests/core/program/programs.h"

using namespace pet;
using namespace pet::test;

TEST_CASE("A normalisation is folded into a weight that every phase of a transposed layer reads") {
  Programs p;
  const NodeId c = p.op(ops::conv_transpose(), {p.input({1, 2, 3}), p.weight({2, 3, 4})},
                        {{"strides", Ints{2}}, {"pads", Ints{1, 1}}});
  std::vector<NodeId> operands = {c};
  for (int i = 0; i < 4; ++i) operands.push_back(p.weight({3}));
  p.output(p.op(ops::batch_normalization(), std::move(operands)));
  const Graph graph = std::move(p).build();
  REQUIRE(graph.meaning(c).sum.terms.size() == 2);
  CHECK(foldable_batch_norms(graph).size() == 1);
  const auto folded = fold_batch_norms(graph);
  REQUIRE(folded.ok());
  CHECK(foldable_batch_norms(*folded).empty());
}
