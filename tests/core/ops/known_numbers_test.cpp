// What constants of one element make of an operator: another meaning, of the same shape and values.
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/real_values.h"

using namespace pet;
using namespace pet::test;

namespace {

std::shared_ptr<const Tensor> number(float x, Shape shape = {}) {
  return std::make_shared<const Tensor>(Tensor::of_floats(std::move(shape), {x}));
}

// Of `def` on x of shape [2,3] and constants.
Meaning meaning_with(const OpDef& def,
                     const std::vector<std::shared_ptr<const Tensor>>& constants) {
  GraphBuilder b;
  std::vector<NodeId> operands{b.add_input("x", {DType::Float, Shape{2, 3}})};
  for (const auto& constant : constants) operands.push_back(b.add_constant(constant));
  const auto node = b.add(def, {}, operands);
  REQUIRE(node.ok());
  return std::move(b).build().meaning(*node);
}

// The names of its functions, one after the other.
std::string functions_of(const Meaning& meaning) {
  std::string out;
  for (const Application& one : meaning.applications)
    out += (out.empty() ? "" : " ") + std::string(one.function->name);
  return out;
}

std::size_t number_of_factors(const Meaning& meaning) {
  REQUIRE(meaning.sum.terms.size() == 1);
  return meaning.sum.terms.front().factors.size();
}

}  // namespace

TEST_CASE("a quotient by an ordinary number is a scaling") {
  for (const float divisor : {3.0F, -0.25F, 0x1p-39F, 0x1p39F}) {
    CAPTURE(divisor);
    const Meaning meaning = meaning_with(ops::div(), {number(divisor)});
    CHECK(is_linear(meaning));
    CHECK(number_of_factors(meaning) == 1);
    CHECK(meaning.sum.terms.front().coef.scale == 1 / exact(divisor));
  }
  for (const float divisor : {0.0F, -0.0F, 0x1p-40F, 0x1p40F, 1e-42F, INFINITY, NAN}) {
    CAPTURE(divisor);
    CHECK(functions_of(meaning_with(ops::div(), {number(divisor)})) == "reciprocal");
  }
  const auto row = std::make_shared<const Tensor>(Tensor::of_floats({3}, {2, 2, 2}));
  CHECK(functions_of(meaning_with(ops::div(), {row})) == "reciprocal");
}

TEST_CASE("powers by numbers are products, or operators of their own") {
  for (const int power : {1, 2, 3, 4}) {
    const Meaning meaning = meaning_with(ops::pow(), {number(static_cast<float>(power))});
    CHECK(meaning.applications.empty());
    CHECK(number_of_factors(meaning) == static_cast<std::size_t>(power));
  }
  CHECK(functions_of(meaning_with(ops::pow(), {number(-1)})) == "reciprocal");
  CHECK(functions_of(meaning_with(ops::pow(), {number(0.5F)})) == "sqrt");
  CHECK(functions_of(meaning_with(ops::pow(), {number(-0.5F)})) == "sqrt reciprocal");
  for (const float power : {0.0F, -0.0F, 5.0F, 2.5F, -2.0F, INFINITY})
    CHECK(functions_of(meaning_with(ops::pow(), {number(power)})) == "pow");
}

TEST_CASE("numbers change neither shapes nor values") {
  const Values x{{2, 3}, {0.5, 1, 1.5, 2, 3, 7}};
  const auto check = [&](const OpDef& def, std::vector<std::shared_ptr<const Tensor>> constants) {
    const Meaning meaning = meaning_with(def, constants);
    std::vector<Values> operands{x};
    std::vector<Shape> shapes{x.shape};
    for (const auto& constant : constants) {
      operands.push_back({constant->shape(), {constant->floats()[0]}});
      shapes.push_back(constant->shape());
    }
    const auto plain = def.lower(*make_op(def, {}), shapes);
    REQUIRE(plain.ok());
    REQUIRE(meaning.sum.out == plain->sum.out);
    const Values found = interpret(meaning, operands);
    const Values expected = interpret(*plain, operands);
    for (std::size_t i = 0; i < found.data.size(); ++i) {
      CHECK(static_cast<double>(found.data[i]) ==
            Approx(static_cast<double>(expected.data[i])).epsilon(1e-15));
    }
  };
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1, 1}}) {
    check(ops::div(), {number(3, shape)});
    for (const float power : {1.0F, 2.0F, 3.0F, 4.0F, -1.0F, 0.5F, -0.5F})
      check(ops::pow(), {number(power, shape)});
  }
}
