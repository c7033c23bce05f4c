#include "core/cost/analytic.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

Work work_of_one(const OpDef& def, Attrs attrs, const std::vector<Shape>& shapes) {
  GraphBuilder builder;
  std::vector<NodeId> operands;
  for (const Shape& shape : shapes)
    operands.push_back(builder.add_input(std::to_string(operands.size()), float_tensor(shape)));
  const auto node = builder.add(def, std::move(attrs), operands);
  if (!node) FAIL(node.error().message);
  return work_of(std::move(builder).build());
}

TEST_CASE("A convolution costs its multiply-adds and each tensor once") {
  const Work work =
      work_of_one(ops::conv(), {{"pads", Ints{1, 1, 1, 1}}}, {{1, 16, 28, 28}, {32, 16, 3, 3}});
  CHECK(work.multiply_adds == 28.0 * 28 * 32 * 16 * 9);
  CHECK(work.bytes_read == 4.0 * (16 * 28 * 28 + 32 * 16 * 9));
  CHECK(work.bytes_written == 4.0 * 32 * 28 * 28);
  CHECK(work.element_functions == 0);
  CHECK(work.operators == 1);
}

TEST_CASE("A grouped convolution costs a group's share") {
  const Work work =
      work_of_one(ops::conv(), {{"group", std::int64_t{8}}}, {{1, 8, 5, 5}, {8, 1, 3, 3}});
  CHECK(work.multiply_adds == 8.0 * 3 * 3 * 9);
}

TEST_CASE("A bias adds one addition an element") {
  const double bare = work_of_one(ops::conv(), {}, {{1, 3, 5, 5}, {4, 3, 1, 1}}).multiply_adds;
  CHECK(work_of_one(ops::conv(), {}, {{1, 3, 5, 5}, {4, 3, 1, 1}, {4}}).multiply_adds ==
        bare + 4 * 5 * 5);
}

TEST_CASE("Views cost only their call") {
  const auto is_free = [](const Work& work) {
    return work.operators == 1 && work.bytes_read + work.bytes_written + work.multiply_adds == 0;
  };
  CHECK(is_free(work_of_one(ops::reshape(), {{"shape", Ints{6, 4}}}, {{4, 6}})));
  CHECK(is_free(work_of_one(ops::reshape(), {{"shape", Ints{2, 12}}}, {{4, 6}})));
  CHECK(is_free(work_of_one(ops::flatten(), {}, {{4, 6, 2}})));
  CHECK(is_free(work_of_one(ops::unsqueeze(), {{"axes", Ints{0}}}, {{4, 6}})));
  CHECK(is_free(work_of_one(ops::identity(), {}, {{4}})));
  CHECK(is_free(work_of_one(ops::transpose(), {{"perm", Ints{1, 0}}}, {{1, 6}})));
  CHECK_FALSE(is_free(work_of_one(ops::transpose(), {{"perm", Ints{1, 0}}}, {{4, 6}})));
  CHECK_FALSE(is_free(work_of_one(ops::expand(), {{"shape", Ints{2, 6}}}, {{1, 6}})));
}

TEST_CASE("Moving data costs bytes and no arithmetic") {
  const Work concat = work_of_one(ops::concat(), {{"axis", std::int64_t{0}}}, {{10, 3}, {20, 3}});
  CHECK(concat.multiply_adds == 0);
  CHECK(concat.bytes_read == 4.0 * 90);
  CHECK(concat.bytes_written == 4.0 * 90);
  const Work piece = work_of_one(
      ops::split(), {{"axis", std::int64_t{0}}, {"begin", Dim{2}}, {"end", Dim{4}}}, {{100, 3}});
  CHECK(piece.bytes_read == 4.0 * 6);
}

TEST_CASE("Element functions are counted, and a row that many elements share once") {
  CHECK(work_of_one(ops::relu(), {}, {{10, 10}}).element_functions == 100);
  CHECK(work_of_one(ops::relu(), {}, {{10, 10}}).multiply_adds == 0);
  CHECK(work_of_one(ops::softmax(), {{"axis", std::int64_t{1}}}, {{10, 20}}).element_functions ==
        200 + 200);
  CHECK(work_of_one(ops::max_pool(), {{"kernel_shape", Ints{2, 2}}}, {{1, 1, 3, 3}})
            .element_functions == 4 + 16);
}

TEST_CASE(
    "Inputs and constants that nobody reads cost nothing, and operators nobody interprets their "
    "bytes") {
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({8}));
  builder.add_scalar(3);
  builder.add_opaque("some::Op", Digest{}, {x}, {DType::Float, std::nullopt});
  const Work work = work_of(std::move(builder).build());
  CHECK(work.operators == 1);
  CHECK(work.bytes_read == 32);
  CHECK(work.bytes_written == 0);
}

TEST_CASE(
    "The estimate adds up arithmetic, memory and calls, and threads share all but the calls") {
  const MachineModel machine{.multiply_adds_per_ms = 100,
                             .element_functions_per_ms = 10,
                             .bytes_per_ms = 50,
                             .ms_per_operator = 3,
                             .threads = 1};
  const Work work{.multiply_adds = 200,
                  .element_functions = 40,
                  .bytes_read = 60,
                  .bytes_written = 40,
                  .operators = 2};
  CHECK(analytic_ms(work, machine) == Approx(2 + 4 + 2 + 6));
  MachineModel two = machine;
  two.threads = 2;
  CHECK(analytic_ms(work, two) == Approx(4 + 6));
}

}  // namespace
}  // namespace pet
