// Programs that are so many copies of one along an open axis (verify/all_sizes/copies.h).
#include "verify/all_sizes/copies.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/conformance/samples.h"
#include "tests/support/element_types.h"

using namespace pet;
using namespace pet::all_sizes;

namespace {

using Ints = std::vector<Dim>;
using Program = std::function<NodeId(GraphBuilder&, NodeId x, Dim n)>;

constexpr std::array<Dim, 4> kBatches = {2, 3, 5, 64};

// x: [n, 4, 6]
Result<Carried> carried(const Program& program) {
  std::vector<Graph> graphs;
  for (const Dim n : kBatches) {
    GraphBuilder b;
    b.add_output(program(b, b.add_input("x", float_tensor({n, 4, 6})), n));
    graphs.push_back(std::move(b).build());
  }
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  const auto copies = copies_of(pointers, kBatches);
  if (!copies) return copies.error();
  return copies->outputs[0];
}

NodeId reshaped(GraphBuilder& b, NodeId x, Ints shape) {
  return *b.add(ops::reshape(), Attrs{{"shape", std::move(shape)}}, {x});
}

NodeId transposed(GraphBuilder& b, NodeId x, Ints perm) {
  return *b.add(ops::transpose(), Attrs{{"perm", std::move(perm)}}, {x});
}

}  // namespace

TEST_CASE("What treats every element of a batch alike is so many copies") {
  const auto is_carried = [](Carried expected, const Program& program) {
    const auto found = carried(program);
    REQUIRE(found.ok());
    CHECK(*found == expected);
  };
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim) { return *b.add(ops::relu(), {}, {x}); });
  // A window with a stride, which is no affine function of the sizes along other axes.
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim) {
    const Attrs attrs{{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}};
    return *b.add(ops::max_pool(), attrs, {x});
  });
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::softmax(), Attrs{{"axis", Dim{2}}}, {x});
  });
  // The batch is one digit of an axis, and an axis of its own again.
  is_carried({0, 4}, [](GraphBuilder& b, NodeId x, Dim n) { return reshaped(b, x, {n * 4, 6}); });
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim n) {
    return reshaped(b, reshaped(b, x, {n * 4, 6}), {n, 2, 12});
  });
  is_carried({1, 1}, [](GraphBuilder& b, NodeId x, Dim) { return transposed(b, x, {1, 0, 2}); });
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::reduce_sum(), Attrs{{"axes", Ints{1}}, {"keepdims", Dim{0}}}, {x});
  });
  is_carried({0, 1}, [](GraphBuilder& b, NodeId x, Dim) {
    const NodeId w = b.add_constant(
        std::make_shared<const Tensor>(Tensor::of_floats({6, 2}, std::vector<float>(12, 0.5F))));
    return *b.add(ops::mat_mul(), {}, {x, w});
  });
}

TEST_CASE("What mixes the elements of a batch is no copies") {
  const auto is_mixed = [](const Program& program) { CHECK_FALSE(carried(program).ok()); };
  is_mixed([](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::reduce_sum(), Attrs{{"axes", Ints{0}}, {"keepdims", Dim{0}}}, {x});
  });
  is_mixed([](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::softmax(), Attrs{{"axis", Dim{0}}}, {x});
  });
  const auto sliced = [](Dim start, Dim end, Dim step) {
    return [=](GraphBuilder& b, NodeId x, Dim n) {
      const Attrs attrs{{"axes", Ints{0}},
                        {"starts", Ints{start < 0 ? n + start : start}},
                        {"ends", Ints{end}},
                        {"steps", Ints{step}}};
      return *b.add(ops::slice(), attrs, {x});
    };
  };
  is_mixed(sliced(0, 1, 1));     // the first of them
  is_mixed(sliced(-1, -1, -1));  // backwards
  is_mixed([](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::concat(), Attrs{{"axis", Dim{0}}}, {x, x});
  });
  // The batch is the inner digit of an axis.
  is_mixed([](GraphBuilder& b, NodeId x, Dim n) {
    return reshaped(b, transposed(b, x, {1, 0, 2}), {4 * n, 6});
  });
  // Rows of another length: one of them has elements of two copies.
  is_mixed([](GraphBuilder& b, NodeId x, Dim n) {
    const NodeId flat = reshaped(b, x, {n * 24});
    return *b.add(ops::softmax(), Attrs{{"axis", Dim{1}}}, {reshaped(b, flat, {2, n * 12})});
  });
  // One copy is read by the next.
  is_mixed([](GraphBuilder& b, NodeId x, Dim) {
    const Attrs attrs{{"pads", Ints{1, 0, 0, -1, 0, 0}}};
    return *b.add(ops::pad(), attrs, {x});
  });
  is_mixed([](GraphBuilder& b, NodeId x, Dim n) {
    return *b.add(ops::mat_mul(), {}, {reshaped(b, x, {1, 24, n}), reshaped(b, x, {1, n, 24})});
  });
  is_mixed([](GraphBuilder& b, NodeId x, Dim) {
    return *b.add(ops::cum_sum(), Attrs{{"axis", Dim{0}}}, {x});
  });
  is_mixed([](GraphBuilder& b, NodeId x, Dim n) {  // another constant for each
    std::vector<float> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const NodeId c =
        b.add_constant(std::make_shared<const Tensor>(Tensor::of_floats({n, 1, 1}, values)));
    return *b.add(ops::mul(), {}, {x, c});
  });
}

namespace {

// Sample `sample` with another first extent of the operands that have that of the first one.
std::optional<Graph> at_batch(const test::Sample& sample, std::uint64_t which, Dim n) {
  GraphBuilder b;
  std::vector<Shape> shapes = sample.operands;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if ((which >> i & 1U) == 0) continue;
    if (shapes[i].empty()) return std::nullopt;
    shapes[i][0] = n;
  }
  std::vector<NodeId> operands;
  for (const TensorType& type : test::operand_types(shapes, sample.elements))
    operands.push_back(b.add_input(std::to_string(operands.size()), type));
  const auto result = b.add(sample.op, operands);
  if (!result) return std::nullopt;
  b.add_output(*result);
  return std::move(b).build();
}

// How its result is carried at these batches; nothing where it is no copies.
std::optional<Carried> carried_at(const test::Sample& sample, std::uint64_t which,
                                  std::span<const Dim> batches) {
  std::vector<Graph> graphs;
  for (const Dim n : batches) {
    auto graph = at_batch(sample, which, n);
    if (!graph) return std::nullopt;
    graphs.push_back(*std::move(graph));
  }
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  const auto copies = copies_of(pointers, batches);
  if (!copies) return std::nullopt;
  return copies->outputs[0];
}

}  // namespace

TEST_CASE("Along an axis that is read in place every operator means the same at every extent") {
  std::vector<Dim> all(kBatches.begin(), kBatches.end());
  for (Dim n = 6; n < 34; ++n) all.push_back(n);
  for (const Dim n : {63, 65, 127, 128, 129, 255, 256, 257, 1000, 1024}) all.push_back(n);
  std::size_t seen = 0;
  std::set<std::string> names;
  for (const OpDef* def : ops::all()) {
    for (const test::Sample& sample : test::samples(*def)) {
      const std::size_t operands = std::min<std::size_t>(sample.operands.size(), 4);
      for (std::uint64_t which = 1; which < (std::uint64_t{1} << operands); ++which) {
        const auto at_some = carried_at(sample, which, kBatches);
        if (!at_some || at_some->is_still()) continue;
        CAPTURE(def->name, which);
        const auto at_all = carried_at(sample, which, all);
        REQUIRE(at_all.has_value());
        CHECK(*at_all == *at_some);
        ++seen;
        names.insert(def->name);
      }
    }
  }
  CHECK(seen > 150);
  CHECK(names.size() > 60);
}
