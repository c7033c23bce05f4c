#include "verify/rounding/sizes.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/element_types.h"
#include "tests/support/lanes.h"
#include "tests/support/op_instances.h"

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

// Every input counts as much, or each element of its own as `sizes` says.
std::vector<double> sizes_of_output(const Graph& graph, std::vector<Sizes>* sizes) {
  const GraphCode code(graph);
  SizeRun::Given given;
  given.known.assign(graph.nodes().size(), 0);
  if (sizes != nullptr) {
    for (const NodeId id : graph.inputs()) given.known[id.index()] = 1;
    given.sizes = [&](NodeId id) -> const Sizes& { return (*sizes)[id.index()]; };
  }
  given.results = [&](NodeId id, const std::vector<const Sizes*>&) {
    return Result<std::vector<Sizes>>(results_of_one(graph, id));
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
