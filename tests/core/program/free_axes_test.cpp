// Which axes an operator treats independently, and a normalisation folded where several terms read
// one weight.
#include "core/program/mutate/axes.h"
#include "core/program/postopt/fold_batch_norm.h"
#include "tests/core/program/programs.h"

using namespace pet;
using namespace pet::test;

namespace {

std::vector<Dim> steps_of(const OpDef& def, Attrs attrs, const Shape& shape) {
  Programs p;
  const NodeId y = p.op(def, {p.input(shape)}, std::move(attrs));
  p.output(y);
  const Graph graph = std::move(p).build();
  std::vector<Dim> steps;
  for (const AxisPair& pair : free_axes(graph, y, 0)) steps.push_back(pair.batch ? 0 : pair.step);
  return steps;
}

}  // namespace

TEST_CASE("An axis is free where the reads along it are evenly spaced and run forwards") {
  const Attrs floor{{"coordinate_transformation_mode", std::string("asymmetric")},
                    {"nearest_mode", std::string("floor")},
                    {"sizes", Ints{2, 6}}};
  CHECK(steps_of(ops::resize(), floor, {2, 3}) == std::vector<Dim>{0});
  CHECK(steps_of(ops::resize(), floor, {2, 12}) == std::vector<Dim>{0, 2});
  CHECK(steps_of(ops::tile(), {{"repeats", Ints{1, 2}}}, {2, 3}) == std::vector<Dim>{0});
  const Attrs edge{{"mode", std::string("edge")}, {"pads", Ints{0, 1, 0, 0}}};
  CHECK(steps_of(ops::pad(), edge, {2, 3}) == std::vector<Dim>{0});
  const Attrs backwards{
      {"axes", Ints{1}}, {"starts", Ints{2}}, {"ends", Ints{-1}}, {"steps", Ints{-1}}};
  CHECK(steps_of(ops::slice(), backwards, {2, 3}) == std::vector<Dim>{0});
}

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
