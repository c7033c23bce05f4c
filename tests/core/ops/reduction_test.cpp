#include <catch2/catch.hpp>
#include <numeric>

#include "core/eval/integers.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

Op reduced(const OpDef& def, Ints axes) {
  auto op = make_op(def, Attrs{{"axes", std::move(axes)}, {"keepdims", std::int64_t{0}}});
  REQUIRE(op.ok());
  return *std::move(op);
}

Meaning meaning(const Op& op, const Shape& shape) {
  auto made = op.def->lower(op, std::vector<Shape>{shape});
  REQUIRE(made.ok());
  return *std::move(made);
}

Integers one_to(std::int64_t last) {
  Integers out{{last}, std::vector<std::int64_t>(static_cast<std::size_t>(last))};
  std::iota(out.values.begin(), out.values.end(), 1);
  return out;
}

OnnxCall call(const std::string& op, int opset, Shape shape, Attrs attrs = {}) {
  OnnxCall made{.op_type = op, .opset = opset, .attrs = std::move(attrs), .operands = {}};
  made.operands.push_back({.present = true,
                           .dtype = DType::Float,
                           .shape = std::move(shape),
                           .ints = {},
                           .floats = {},
                           .scalar = {}});
  return made;
}

}  // namespace

TEST_CASE("The largest of a single element is that element") {
  const Op op = reduced(ops::reduce_max(), {0, 2});
  CHECK(is_data_movement(meaning(op, {1, 5, 1})));
  CHECK_FALSE(is_data_movement(meaning(op, {1, 5, 2})));
}

TEST_CASE("A product of a few elements is that product, of more a function of them") {
  const Op op = reduced(ops::reduce_prod(), {0});
  const Meaning few = meaning(op, {8});
  CHECK(is_linear(few));
  CHECK(few.sum.terms.at(0).factors.size() == 8);
  CHECK_FALSE(is_linear(meaning(op, {9})));
  const auto product = evaluate_integers(op, std::vector<Integers>{one_to(5)});
  REQUIRE(product.ok());
  CHECK(product->values == std::vector<std::int64_t>{120});
}

TEST_CASE("Of no element there is no product, norm or extreme") {
  for (const OpDef* def : {&ops::reduce_prod(), &ops::reduce_l2(), &ops::reduce_min()}) {
    const auto made = def->lower(reduced(*def, {1}), std::vector<Shape>{{2, 0}});
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().kind == ErrorKind::Unsupported);
  }
}

TEST_CASE("Where no axis is reduced an extreme is the operand and a norm is read in two ways") {
  const Attrs noop{{"noop_with_empty_axes", std::int64_t{1}}};
  const auto extreme = import_call(ops::reduce_max(), call("ReduceMax", 18, {2, 3}, noop));
  REQUIRE(extreme.ok());
  CHECK(is_data_movement(meaning(extreme->front().op, {2, 3})));
  const auto norm = import_call(ops::reduce_l1(), call("ReduceL1", 18, {2, 3}, noop));
  REQUIRE_FALSE(norm.ok());
  CHECK(norm.error().kind == ErrorKind::Unsupported);
  CHECK(import_call(ops::reduce_l1(), call("ReduceL1", 18, {2, 3})).ok());
}

TEST_CASE("Running sums and triangles are computed on integers") {
  const Op sums = *make_op(ops::cum_sum(), Attrs{{"axis", std::int64_t{0}}});
  const auto found = evaluate_integers(sums, std::vector<Integers>{one_to(4)});
  REQUIRE(found.ok());
  CHECK(found->values == std::vector<std::int64_t>{1, 3, 6, 10});
  const Op lower = *make_op(ops::trilu(), Attrs{{"upper", std::int64_t{0}}});
  const auto part = evaluate_integers(lower, std::vector<Integers>{{{2, 2}, {1, 2, 3, 4}}});
  REQUIRE(part.ok());
  CHECK(part->values == std::vector<std::int64_t>{1, 0, 3, 4});
}
