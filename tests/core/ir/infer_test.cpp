// Types and meaning of an operator with no graph around it.
#include "core/ir/infer.h"

#include <catch2/catch.hpp>

using namespace pet;

namespace {

// a times b, or a alone where b is the number 1.
Result<Meaning> product(const Op&, std::span<const Shape> in) {
  const auto index = identity_index(in[0]);
  return Meaning{
      {}, {in[0], {{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, index}, {1, {}}}}}}};
}
Result<Meaning> product_by(const Op& op, std::span<const Shape> in, const KnownNumbers& numbers) {
  if (numbers[1] != Rational(1)) return product(op, in);
  return Meaning{{}, read_in_place(0, in[0])};
}

const OpDef kScale{.name = "Scale",
                   .summary = "a number times a tensor",
                   .arity = {2, 2},
                   .attrs = {},
                   .lower = product,
                   .by_numbers = ByNumbers{{1}, product_by}};

const TensorType kNumber = float_tensor({});

Result<Inferred> scaled(std::vector<TensorType> operands, const KnownNumbers& numbers = {}) {
  return infer(*make_op(kScale, {}), operands, numbers);
}

}  // namespace

TEST_CASE("The type of a result comes with the meaning that says so") {
  const auto made = scaled({float_tensor({2, 3}), kNumber});
  REQUIRE(made.ok());
  CHECK(made->type == float_tensor({2, 3}));
  CHECK(made->meaning.sum.terms.front().factors.size() == 2);
}

TEST_CASE("A number where the definition asks for one decides the meaning, not the type") {
  const std::vector<TensorType> types{float_tensor({2, 3}), kNumber};
  const auto by_one = scaled(types, {std::nullopt, Rational(1)});
  const auto by_two = scaled(types, {std::nullopt, Rational(2)});
  REQUIRE(by_one.ok());
  REQUIRE(by_two.ok());
  CHECK(is_data_movement(by_one->meaning));
  CHECK_FALSE(is_data_movement(by_two->meaning));
  CHECK(by_one->type == by_two->type);
}

TEST_CASE("Other element types are for operators that only move data") {
  const std::vector<TensorType> types{{DType::Int64, Shape{4}}, {DType::Int64, Shape{}}};
  const auto refused = scaled(types);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::Unsupported);
  const auto moved = scaled(types, {std::nullopt, Rational(1)});
  REQUIRE(moved.ok());
  CHECK(moved->type == types[0]);
}

TEST_CASE("Operands that no tensor or no operator of this kind has are errors") {
  const auto [types, kind, why] = GENERATE(table<std::vector<TensorType>, ErrorKind, std::string>({
      {{float_tensor({2})}, ErrorKind::Malformed, "takes 2 to 2 operands, not 1"},
      {{{DType::Float, {}}, kNumber}, ErrorKind::Unsupported, "shape of an operand is unknown"},
      {{float_tensor({kMaxElements, 2}), kNumber}, ErrorKind::Malformed, "an operand of shape"},
      {{float_tensor({2}), {DType::Int64, Shape{}}},
       ErrorKind::Unsupported,
       "operands of different types"},
  }));
  const auto made = scaled(types);
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().kind == kind);
  CHECK(made.error().message.find(why) != std::string::npos);
}
