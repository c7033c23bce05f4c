#include "verify/weights/known_reals.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "core/onnx/model.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/scratch_folder.h"
#include "verify/files/file_proof.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;

namespace {

using Attr = ::onnx::AttributeProto;
using Write = std::function<void(OnnxBuilder&)>;

OnnxBuilder file(const Write& write, std::int64_t opset = 20) {
  OnnxBuilder b(opset);
  b.input("x", {2, 6});
  write(b);
  b.output("y", {2, 6});
  return b;
}

FileVerdict compared(const OnnxBuilder& a, const OnnxBuilder& b) {
  const ScratchFolder folder;
  const auto original = read_model(a.save(folder / "a.onnx"));
  const auto mutant = read_model(b.save(folder / "b.onnx"));
  REQUIRE(original);
  REQUIRE(mutant);
  return prove_files(*original, *mutant, {});
}

OnnxBuilder gelu(const std::string& approximate) {
  return file([&](OnnxBuilder& b) {
    OnnxBuilder::attribute(b.node("Gelu", {"x"}, {"y"}), "approximate", Attr::STRING)
        .set_s(approximate);
  });
}

// x · (1 + erf(x / divisor)) / 2, or with a factor in the place of the divisor.
OnnxBuilder by_erf(float number, const std::string& by, float one = 1) {
  return file([=](OnnxBuilder& b) {
    b.floats("k", {}, {number});
    b.floats("one", {}, {one});
    b.floats("half", {}, {0.5F});
    b.node(by, {"x", "k"}, {"a"});
    b.node("Erf", {"a"}, {"e"});
    b.node("Add", {"e", "one"}, {"f"});
    b.node("Mul", {"x", "f"}, {"g"});
    b.node("Mul", {"g", "half"}, {"y"});
  });
}

OnnxBuilder by_tanh(float cubic, float slope) {
  return file([=](OnnxBuilder& b) {
    b.floats("three", {}, {3});
    b.floats("cubic", {}, {cubic});
    b.floats("slope", {}, {slope});
    b.floats("one", {}, {1});
    b.floats("half", {}, {0.5F});
    b.node("Pow", {"x", "three"}, {"c"});
    b.node("Mul", {"c", "cubic"}, {"d"});
    b.node("Add", {"x", "d"}, {"e"});
    b.node("Mul", {"e", "slope"}, {"f"});
    b.node("Tanh", {"f"}, {"t"});
    b.node("Add", {"t", "one"}, {"g"});
    b.node("Mul", {"x", "half"}, {"h"});
    b.node("Mul", {"h", "g"}, {"y"});
  });
}

// As exporters write it. `by_pow`: the squares by Pow, else by Mul.
OnnxBuilder written_out_norm(float epsilon, bool by_pow) {
  return file(
      [=](OnnxBuilder& b) {
        b.floats("two", {}, {2});
        b.floats("eps", {}, {epsilon});
        b.floats("g", {6}, {1, 2, 3, 4, 5, 6});
        b.floats("s", {6}, {1, -1, 2, -2, 3, -3});
        OnnxBuilder::attribute(b.node("ReduceMean", {"x"}, {"m"}), "axes", Attr::INTS).add_ints(-1);
        b.node("Sub", {"x", "m"}, {"d"});
        if (by_pow) {
          b.node("Pow", {"d", "two"}, {"q"});
        } else {
          b.node("Mul", {"d", "d"}, {"q"});
        }
        OnnxBuilder::attribute(b.node("ReduceMean", {"q"}, {"v"}), "axes", Attr::INTS).add_ints(-1);
        b.node("Add", {"v", "eps"}, {"w"});
        b.node("Sqrt", {"w"}, {"r"});
        b.node("Div", {"d", "r"}, {"n"});
        b.node("Mul", {"n", "g"}, {"o"});
        b.node("Add", {"o", "s"}, {"y"});
      },
      17);
}

OnnxBuilder norm(float epsilon) {
  return file(
      [=](OnnxBuilder& b) {
        b.floats("g", {6}, {1, 2, 3, 4, 5, 6});
        b.floats("s", {6}, {1, -1, 2, -2, 3, -3});
        OnnxBuilder::attribute(b.node("LayerNormalization", {"x", "g", "s"}, {"y"}), "epsilon",
                               Attr::FLOAT)
            .set_f(epsilon);
      },
      17);
}

}  // namespace

TEST_CASE("A float is known that is the nearest one of a real which people mean") {
  const auto is_known = [](double real) {
    const auto known = known_real(static_cast<float>(real));
    return known && std::abs(known->get_d() - real) < std::abs(real) * 0x1p-40;
  };
  CHECK(is_known(std::sqrt(2.0)));
  CHECK(is_known(1 / std::sqrt(2.0)));
  CHECK(is_known(-std::sqrt(2.0)));
  CHECK(is_known(std::sqrt(2 / 3.14159265358979323846)));
  CHECK(is_known(1 / std::sqrt(96.0)));
  CHECK(is_known(1.0 / 3));
  CHECK(is_known(0.044715));
  CHECK(is_known(1e-5));
  CHECK_FALSE(known_real(0));
  CHECK_FALSE(known_real(0.125F));
  CHECK_FALSE(known_real(3));
  CHECK_FALSE(known_real(std::nextafter(std::sqrt(2.0F), 2.0F)));
  CHECK_FALSE(known_real(INFINITY));
  CHECK(*known_real(std::sqrt(2.0F)) * *known_real(1 / std::sqrt(2.0F)) == 1);
}

TEST_CASE("An operator is its formula, up to constants that are nearest floats") {
  const float root = std::sqrt(2.0F);
  const auto inverse = static_cast<float>(1 / std::sqrt(2.0));
  for (const auto& [number, by] : {std::pair{root, "Div"}, std::pair{inverse, "Mul"}}) {
    CHECK(compared(gelu("none"), by_erf(number, by)).outcome == Outcome::EquivalentUpToConstants);
    CHECK(compared(by_erf(number, by), gelu("none")).outcome == Outcome::EquivalentUpToConstants);
  }
  CHECK(compared(by_erf(root, "Div"), by_erf(inverse, "Mul")).outcome ==
        Outcome::EquivalentUpToConstants);
  const auto slope = static_cast<float>(std::sqrt(2 / 3.14159265358979323846));
  CHECK(compared(gelu("tanh"), by_tanh(0.044715F, slope)).outcome ==
        Outcome::EquivalentUpToConstants);
  for (const bool by_pow : {false, true})
    CHECK(compared(norm(1e-5F), written_out_norm(1e-5F, by_pow)).outcome ==
          Outcome::EquivalentUpToConstants);
}

namespace {

// One node, or relu6(x + 3) / 6, x * sigmoid(c x), x / (c + |x|) written out.
OnnxBuilder activation(const std::string& op, const std::string& attribute, float value) {
  return file(
      [=](OnnxBuilder& b) {
        auto& node = b.node(op, {"x"}, {"y"});
        if (!attribute.empty()) OnnxBuilder::attribute(node, attribute, Attr::FLOAT).set_f(value);
      },
      24);
}

OnnxBuilder ramp(float divisor) {
  return file(
      [=](OnnxBuilder& b) {
        b.floats("three", {}, {3});
        b.floats("zero", {}, {0});
        b.floats("six", {}, {6});
        b.floats("k", {}, {divisor});
        b.node("Add", {"x", "three"}, {"a"});
        b.node("Clip", {"a", "zero", "six"}, {"c"});
        b.node("Div", {"c", "k"}, {"y"});
      },
      24);
}

OnnxBuilder gated(float slope) {
  return file(
      [=](OnnxBuilder& b) {
        b.floats("k", {}, {slope});
        b.node("Mul", {"x", "k"}, {"a"});
        b.node("Sigmoid", {"a"}, {"s"});
        b.node("Mul", {"x", "s"}, {"y"});
      },
      24);
}

OnnxBuilder squashed(float one) {
  return file(
      [=](OnnxBuilder& b) {
        b.floats("k", {}, {one});
        b.node("Abs", {"x"}, {"a"});
        b.node("Add", {"a", "k"}, {"s"});
        b.node("Div", {"x", "s"}, {"y"});
      },
      24);
}

}  // namespace

TEST_CASE("Activations are their formulas, and no others") {
  const auto sixth = activation("HardSigmoid", "alpha", 1.0F / 6);
  CHECK(claims_equality(compared(ramp(6), sixth).outcome));
  CHECK_FALSE(claims_equality(compared(ramp(5), sixth).outcome));
  CHECK_FALSE(claims_equality(compared(ramp(6), activation("HardSigmoid", "", 0)).outcome));
  const auto quick = activation("Swish", "alpha", 1.702F);
  CHECK(claims_equality(compared(gated(1.702F), quick).outcome));
  CHECK_FALSE(claims_equality(compared(gated(1.7F), quick).outcome));
  CHECK(claims_equality(compared(squashed(1), activation("Softsign", "", 0)).outcome));
  CHECK_FALSE(claims_equality(compared(squashed(2), activation("Softsign", "", 0)).outcome));
}

TEST_CASE("A formula with another constant is another one") {
  CHECK(compared(gelu("none"), by_erf(1.41F, "Div")).outcome == Outcome::Different);
  CHECK(compared(gelu("none"), by_erf(1.4143F, "Div")).outcome == Outcome::Different);
  CHECK(compared(gelu("none"), by_erf(std::sqrt(2.0F), "Div", 1.01F)).outcome ==
        Outcome::Different);
  CHECK(compared(gelu("none"), by_erf(std::sqrt(2.0F), "Mul")).outcome == Outcome::Different);
  CHECK_FALSE(claims_equality(compared(gelu("tanh"), by_erf(std::sqrt(2.0F), "Div")).outcome));
  CHECK_FALSE(claims_equality(compared(norm(1e-5F), written_out_norm(1e-3F, true)).outcome));
}
