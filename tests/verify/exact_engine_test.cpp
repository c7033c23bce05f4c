#include "verify/exact/exact_engine.h"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

using Program = std::function<NodeId(Sketch&)>;

Graph graph(const Program& program) {
  Sketch sketch;
  const NodeId result = program(sketch);
  return std::move(sketch).finish({result});
}

Verdict compare(const Program& original, const Program& mutant, const ProofOptions& options = {}) {
  return ExactEngine().check(graph(original), graph(mutant), options);
}

NodeId x_of(Sketch& s, Shape shape = {2, 3}) { return s.input("x", std::move(shape)); }

}  // namespace

TEST_CASE("x + x is 2x, and neither is 3x") {
  const Program twice = [](Sketch& s) { return s.op("Add", {x_of(s), x_of(s)}); };
  const auto times = [](float factor) {
    return [factor](Sketch& s) { return s.op("Mul", {x_of(s), s.scalar(factor)}); };
  };
  CHECK(compare(twice, times(2)).outcome == Outcome::Equivalent);
  const Verdict v = compare(twice, times(3));
  CHECK(v.outcome == Outcome::Different);
  CHECK(v.outputs[0].different == 6);
  CHECK(v.outputs[0].witness.has_value());
}

TEST_CASE("(a+b)(a-b) is a*a - b*b, and is not a*a + b*b") {
  const auto squares = [](const char* sign) {
    return [sign](Sketch& s) {
      const NodeId a = s.input("a", {2});
      const NodeId b = s.input("b", {2});
      return s.op(sign, {s.op("Mul", {a, a}), s.op("Mul", {b, b})});
    };
  };
  const Program product = [](Sketch& s) {
    const NodeId a = s.input("a", {2});
    const NodeId b = s.input("b", {2});
    return s.op("Mul", {s.op("Add", {a, b}), s.op("Sub", {a, b})});
  };
  CHECK(compare(product, squares("Sub")).outcome == Outcome::Equivalent);
  CHECK(compare(product, squares("Add")).outcome == Outcome::Different);
}

TEST_CASE("The sum of x times w is not w, although they agree on every one-hot x") {
  const Program summed = [](Sketch& s) {
    const NodeId x = s.input("x", {1, 4});
    return s.op("Mul", {s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {x}), s.input("w", {1, 1})});
  };
  const Program alone = [](Sketch& s) {
    s.input("x", {1, 4});
    return s.op("Identity", {s.input("w", {1, 1})});
  };
  const Program inside = [](Sketch& s) {
    const NodeId x = s.op("Mul", {s.input("x", {1, 4}), s.input("w", {1, 1})});
    return s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {x});
  };
  CHECK(compare(summed, alone).outcome == Outcome::Different);
  CHECK(compare(summed, inside).outcome == Outcome::Equivalent);
}

TEST_CASE(
    "A convolution's taps at a border read nothing, so moving its padding changes two columns") {
  const auto conv = [](Ints pads) {
    return [pads](Sketch& s) {
      return s.op("Conv", Attrs{{"pads", pads}}, {s.input("x", {1, 1, 5}), s.ramp({1, 1, 3})});
    };
  };
  const Program padded = [](Sketch& s) {
    const NodeId x =
        s.op("Pad", Attrs{{"pads", Ints{0, 0, 1, 0, 0, 1}}}, {s.input("x", {1, 1, 5})});
    return s.op("Conv", {x, s.ramp({1, 1, 3})});
  };
  CHECK(compare(conv({1, 1}), padded).outcome == Outcome::Equivalent);
  CHECK(compare(conv({1, 1}), conv({0, 2})).outcome == Outcome::Different);
}

TEST_CASE("Two images joined along a row differ at the seam only") {
  const Program apart = [](Sketch& s) {
    return s.op("Conv", Attrs{{"pads", Ints{1, 1}}}, {s.input("x", {2, 1, 4}), s.ramp({1, 1, 3})});
  };
  const Program joined = [](Sketch& s) {
    const NodeId x = s.reshape(s.input("x", {2, 1, 4}), {1, 1, 8});
    return s.reshape(s.op("Conv", Attrs{{"pads", Ints{1, 1}}}, {x, s.ramp({1, 1, 3})}), {2, 1, 4});
  };
  const Verdict v = compare(apart, joined);
  CHECK(v.outcome == Outcome::Partial);
  CHECK(v.outputs[0].equal == 6);
  CHECK(v.outputs[0].different == 2);
  CHECK(v.outputs[0].wrong.volume() == 2);
}

TEST_CASE("The result of an element function is known by its arguments as polynomials") {
  const auto relu_of = [](bool swapped) {
    return [swapped](Sketch& s) {
      const NodeId a = s.input("a", {3});
      const NodeId b = s.input("b", {3});
      return s.op("Relu", {swapped ? s.op("Add", {b, a}) : s.op("Add", {a, b})});
    };
  };
  CHECK(compare(relu_of(false), relu_of(true)).outcome == Outcome::Equivalent);
  const Program once = [](Sketch& s) { return s.op("Relu", {x_of(s)}); };
  const Program twice = [](Sketch& s) { return s.op("Relu", {s.op("Relu", {x_of(s)})}); };
  const Verdict v = compare(once, twice);
  CHECK(v.outcome == Outcome::Unknown);
  CHECK(v.outputs[0].undecided == 6);
  const Program none = [](Sketch& s) { return s.op("Identity", {x_of(s)}); };
  CHECK(compare(once, none).outputs[0].different > 0);
}

TEST_CASE("A function's parameters are part of what it is") {
  const auto leaky = [](double alpha) {
    return [alpha](Sketch& s) { return s.op("LeakyRelu", Attrs{{"alpha", alpha}}, {x_of(s)}); };
  };
  CHECK(compare(leaky(0.25), leaky(0.25)).outcome == Outcome::Equivalent);
  CHECK(compare(leaky(0.25), leaky(0.125)).outcome != Outcome::Equivalent);
  CHECK(compare(leaky(0.25), leaky(0.125)).outputs[0].different > 0);
}

TEST_CASE("A hole in a max pool is not a zero") {
  const Attrs holes{{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}};
  const Program original = [&](Sketch& s) {
    return s.op("MaxPool", holes, {s.input("x", {1, 1, 4})});
  };
  const Program zeros = [](Sketch& s) {
    const NodeId x =
        s.op("Pad", Attrs{{"pads", Ints{0, 0, 1, 0, 0, 1}}}, {s.input("x", {1, 1, 4})});
    return s.op("MaxPool", Attrs{{"kernel_shape", Ints{3}}}, {x});
  };
  const Verdict v = compare(original, zeros);
  CHECK(v.outputs[0].equal == 2);
  CHECK(v.outputs[0].different + v.outputs[0].undecided == 2);
  // Backwards and back again: the windows hold the same elements in another order.
  const Program turned = [&](Sketch& s) {
    const Attrs back{
        {"axes", Ints{2}}, {"starts", Ints{3}}, {"ends", Ints{-1}}, {"steps", Ints{-1}}};
    const NodeId x = s.op("Slice", back, {s.input("x", {1, 1, 4})});
    return s.op("Slice", back, {s.op("MaxPool", holes, {x})});
  };
  CHECK(compare(original, turned).outcome == Outcome::Equivalent);
}

TEST_CASE("A batch norm's epsilon is part of it, and its affine half may be taken out") {
  const auto norm = [](double epsilon, bool split) {
    return [epsilon, split](Sketch& s) {
      const NodeId x = s.input("x", {2, 2, 2});
      const auto fixed = [&](float v) {
        return s.op("Expand", Attrs{{"shape", Ints{2}}}, {s.scalar(v)});
      };
      const NodeId scale = s.ramp({2}, 1);
      const NodeId bias = s.ramp({2}, 3);
      const NodeId mean = s.ramp({2}, 5);
      const NodeId variance = s.ramp({2}, 7);
      const Attrs attrs{{"epsilon", epsilon}};
      if (!split) return s.op("BatchNormalization", attrs, {x, scale, bias, mean, variance});
      const NodeId y = s.op("BatchNormalization", attrs, {x, fixed(1), fixed(0), mean, variance});
      const NodeId scaled = s.op("Mul", {y, s.reshape(scale, {2, 1})});
      return s.op("Add", {scaled, s.reshape(bias, {2, 1})});
    };
  };
  CHECK(compare(norm(0.001, false), norm(0.001, true)).outcome == Outcome::Equivalent);
  CHECK(compare(norm(0.001, false), norm(0.002, false)).outcome != Outcome::Equivalent);
  CHECK(compare(norm(0.001, false), norm(0.002, false)).outputs[0].equal == 0);
}

TEST_CASE("Softmax moves across a transpose with its axis") {
  const auto softmax = [](Dim axis, bool across) {
    return [axis, across](Sketch& s) {
      const NodeId x = s.input("x", {2, 3});
      const Attrs attrs{{"axis", axis}};
      return across ? s.transpose(s.op("Softmax", attrs, {s.transpose(x, {1, 0})}), {1, 0})
                    : s.op("Softmax", attrs, {x});
    };
  };
  CHECK(compare(softmax(1, false), softmax(0, true)).outcome == Outcome::Equivalent);
  CHECK(compare(softmax(1, false), softmax(1, true)).outcome == Outcome::Different);
  CHECK(compare(softmax(1, false), softmax(0, false)).outcome == Outcome::Different);
}

TEST_CASE("What is undefined where the original is defined is not the original") {
  const Program a = [](Sketch& s) { return s.op("Identity", {x_of(s)}); };
  const Program b = [](Sketch& s) {
    const NodeId x = x_of(s);
    const NodeId inverse = s.op("Reciprocal", {s.op("Sub", {x, x})});
    return s.op("Add", {x, s.op("Sub", {inverse, inverse})});
  };
  const Verdict v = compare(a, b);
  CHECK(v.outcome == Outcome::Unknown);
  CHECK(v.reason.find("domain") != std::string::npos);
  CHECK(v.outputs[0].equal == 0);
  CHECK(compare(b, a).outcome == Outcome::Equivalent);
}

TEST_CASE("A constant of the original is a symbol, one of the mutant alone is a number") {
  const auto times = [](std::vector<float> values) {
    return [values](Sketch& s) {
      return s.op("Mul", {s.input("x", {2}), s.constant({2}, values)});
    };
  };
  const Program twice = [](Sketch& s) {
    return s.op("Add", {s.input("x", {2}), s.input("x", {2})});
  };
  CHECK(compare(twice, times({2, 2})).outcome == Outcome::Equivalent);
  // As symbols the two entries of the weight are as good as any others.
  const Verdict v = compare(times({2, 2}), twice);
  CHECK(v.outcome == Outcome::Unknown);
  ProofOptions bound;
  bound.bind_weights = true;
  CHECK(compare(times({2, 2}), twice, bound).outcome == Outcome::Equivalent);
  CHECK(compare(times({2, 2}), times({2, 3})).outputs[0].different == 1);
}

TEST_CASE("An opaque operator is known by its operator and everything that it reads") {
  const auto opaque = [](const char* what, bool swapped, std::optional<Shape> shape) {
    return [=](Sketch& s) {
      const NodeId a = s.input("a", {2});
      const NodeId b = s.input("b", {2});
      const NodeId sum = swapped ? s.op("Add", {b, a}) : s.op("Add", {a, b});
      return s.opaque(what, {sum, a}, TensorType{DType::Float, shape});
    };
  };
  for (const auto& shape : {std::optional<Shape>(), std::optional(Shape{2})}) {
    CHECK(compare(opaque("F", false, shape), opaque("F", true, shape)).outcome ==
          Outcome::Equivalent);
    CHECK(compare(opaque("F", false, shape), opaque("G", false, shape)).outcome ==
          Outcome::Unknown);
  }
}

TEST_CASE("Beyond a limit, and at numbers that are none, the answer is unknown") {
  const Program square = [](Sketch& s) {
    NodeId x = s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {s.input("x", {1, 6})});
    for (int i = 0; i < 4; ++i) x = s.op("Mul", {x, x});
    return x;
  };
  ExactLimits limits;
  limits.monomials = 1000;
  const Verdict v = ExactEngine(limits).check(graph(square), graph(square), {});
  CHECK(v.outcome == Outcome::Unknown);
  CHECK(v.reason == "more than 1000 steps");
  const Program infinite = [](Sketch& s) {
    return s.op("Add", {s.input("x", {1}), s.scalar(-std::numeric_limits<float>::infinity())});
  };
  CHECK(compare(infinite, infinite).outcome == Outcome::Unknown);
  const Program large = [](Sketch& s) { return s.op("Relu", {s.input("x", {1 << 17})}); };
  CHECK(compare(large, large).outcome == Outcome::Unknown);
}

TEST_CASE("Programs that take or give something else are not compared") {
  const Program one = [](Sketch& s) { return s.op("Relu", {s.input("x", {2})}); };
  const Program other = [](Sketch& s) { return s.op("Relu", {s.input("y", {2})}); };
  CHECK(compare(one, other).outcome == Outcome::ShapeMismatch);
}
