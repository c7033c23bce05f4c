#include "verify/rounding/sizes.h"

#include <array>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/element_types.h"
#include "tests/support/lanes.h"
#include "tests/support/op_instances.h"
#include "tests/support/sketch.h"

namespace pet {
namespace {

constexpr int kInstances = 40;

// One operator on inputs.
Graph alone(const test::OpInstance& instance) {
  GraphBuilder b;
  std::vector<NodeId> operands;
  for (const TensorType& type : test::operand_types(instance.operands, instance.elements))
    operands.push_back(b.add_input("x" + std::to_string(operands.size()), type));
  b.add_output(*b.add(instance.op, std::move(operands)));
  return std::move(b).build();
}

enum class Results { One, AsTheirArguments };

// Every input counts as much, or each element of its own as `sizes` says.
std::vector<double> sizes_of_output(const Graph& graph, std::vector<Sizes>* sizes,
                                    Results count = Results::One) {
  const GraphCode code(graph);
  SizeRun::Given given;
  given.known.assign(graph.nodes().size(), 0);
  if (sizes != nullptr) {
    for (const NodeId id : graph.inputs()) given.known[id.index()] = 1;
    given.sizes = [&](NodeId id) -> const Sizes& { return (*sizes)[id.index()]; };
  }
  given.results_need_arguments = count == Results::AsTheirArguments;
  given.results = [&](NodeId id, const std::vector<const Sizes*>& operands) {
    return count == Results::AsTheirArguments
               ? results_of_arguments(code, id, operands, 1)
               : Result<std::vector<Sizes>>(results_of_one(graph, id));
  };
  const std::stop_token never;
  SizeRun run(code, given, 1, never);
  std::vector<char> wanted(graph.nodes().size(), 0);
  wanted[graph.outputs()[0].index()] = 1;
  std::vector<double> out;
  const auto done = run.run(wanted, [&](NodeId, const Sizes& found) -> Status {
    out = test::lane_of(found.of_elements(), 0);
    return Done{};
  });
  REQUIRE(done.ok());
  return out;
}

// Along each axis some positions are alike, by chance.
Alike random_alike(const Shape& shape, Rng& rng) {
  std::vector<Alike::Classes> classes(shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 0 || rng.below(4) == 0) continue;  // all differ
    std::uint32_t number = 0;
    for (Dim i = 0; i < shape[axis]; ++i) {
      const auto one = static_cast<std::uint32_t>(rng.below(std::min<std::size_t>(number + 1, 3)));
      classes[axis].push_back(one);
      number = std::max(number, one + 1);
    }
  }
  return {shape, std::move(classes)};
}

TEST_CASE("Sizes are the same whether positions are known to be alike or not") {
  std::size_t alike = 0;
  for (const OpDef* def : ops::all()) {
    Rng rng(digest_of("alike", def->name).bytes[0]);
    for (int i = 0; i < kInstances; ++i) {
      const auto instance = test::sample_instance(*def, rng);
      REQUIRE(instance);
      const Graph graph = alone(*instance);
      std::vector<Sizes> few(graph.nodes().size());
      std::vector<Sizes> all(graph.nodes().size());
      for (const NodeId id : graph.inputs()) {
        Alike positions = random_alike(*graph.node(id).type.shape, rng);
        LaneTensor<double> sizes(positions.classes(), 1);
        for (double& x : sizes.values()) x = static_cast<double>(1 + rng.below(7)) / 4;
        alike += positions.is_nowhere() ? 0U : 1U;
        few[id.index()] = Sizes(std::move(positions), std::move(sizes));
        all[id.index()] = Sizes(few[id.index()].of_elements());
      }
      for (const Results count : {Results::One, Results::AsTheirArguments}) {
        const auto at_once = sizes_of_output(graph, &few, count);
        const auto one_by_one = sizes_of_output(graph, &all, count);
        INFO(to_string(instance->op));
        REQUIRE(at_once.size() == one_by_one.size());
        for (std::size_t k = 0; k < at_once.size(); ++k)
          CHECK(at_once[k] == Approx(one_by_one[k]).epsilon(1e-12));
      }
    }
  }
  CHECK(alike > 1000);
}

// Rows of 1,000 read as rows of 1,200: an index that mixes both axes, at too many points.
TEST_CASE("Positions of which there are too many to look at count as different") {
  test::Sketch s;
  const NodeId x = s.input("x", {1200, 1000});
  const Graph g = std::move(s).finish({s.op("Reshape", {{"shape", Ints{1000, 1200}}}, {x})});
  const IndexedSum& sum = g.meaning(g.outputs()[0]).sum;
  Alike::Classes parity(1000, 0);
  for (std::size_t i = 1; i < parity.size(); i += 2) parity[i] = 1;
  const Alike rows({1200, 1000}, {Alike::Classes(1200, 0), parity});
  CHECK(alike_results(sum, std::array{&rows}).is_nowhere());
}

TEST_CASE("A sum of what is alike but at borders is alike but at borders") {
  test::Sketch s;
  const NodeId x = s.input("x", {1, 4, 16, 12});
  const NodeId w = s.ramp({8, 4, 3, 3}, 0.25F);
  const Graph g = std::move(s).finish({s.op("Conv", {{"pads", Ints{1, 0, 1, 0}}}, {x, w})});
  const IndexedSum& sum = g.meaning(g.outputs()[0]).sum;
  const Alike same = Alike::everywhere({1, 4, 16, 12});
  const Alike other = Alike::nowhere({8, 4, 3, 3});
  const Alike found = alike_results(sum, std::array{&same, &other});
  CHECK(found.classes() == Shape{1, 8, 3, 1});
  CHECK(found.firsts() == Positions{{}, {}, {0, 1, 15}, {0}});
  // A number of their own for each row of the input: none is left alike.
  const Alike rows({1, 4, 16, 12}, {{}, {}, {}, Alike::Classes(12, 0)});
  CHECK(alike_results(sum, std::array{&rows, &other}).classes() == Shape{1, 8, 16, 1});
}

// What counts the same everywhere is counted in one go. An input with one element of another size
// is not such; where that element is nothing but 1 + 2^-40 it makes no difference to speak of.
TEST_CASE("Sizes that are the same everywhere are those that adding them up yields") {
  std::size_t same = 0;
  std::size_t other = 0;
  for (const OpDef* def : ops::all()) {
    Rng rng(digest_of("sizes", def->name).bytes[0]);
    for (int i = 0; i < kInstances; ++i) {
      const auto instance = test::sample_instance(*def, rng);
      REQUIRE(instance);
      const Graph graph = alone(*instance);
      std::vector<Sizes> uneven(graph.nodes().size());
      for (const NodeId id : graph.inputs()) {
        LaneTensor<double> sizes(*graph.node(id).type.shape, 1);
        std::ranges::fill(sizes.values(), 1.0);
        if (sizes.size() > 0) sizes.values()[rng.below(sizes.size())] += 0x1p-40;
        uneven[id.index()] = Sizes(std::move(sizes));
      }
      const auto at_once = sizes_of_output(graph, nullptr);
      const auto one_by_one = sizes_of_output(graph, &uneven);
      INFO(to_string(instance->op));
      REQUIRE(at_once.size() == one_by_one.size());
      for (std::size_t k = 0; k < at_once.size(); ++k) {
        CHECK(at_once[k] == Approx(one_by_one[k]).epsilon(0x1p-30));
        ++(at_once[k] == at_once[0] ? same : other);
      }
    }
  }
  CHECK(same > 10000);
  CHECK(other > 1000);
}

}  // namespace
}  // namespace pet
