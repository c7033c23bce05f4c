// Which axes an operator treats independently, and in what steps it reads along them.
#include "core/analysis/free_axes.h"

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
