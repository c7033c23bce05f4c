// Forms of operators for which runtimes compute something else than their definition says: files
// that have them are equal to nobody but each other.
#include <catch2/catch.hpp>

#include "tests/verify/files_of_x.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using namespace pet::testing::files;

TEST_CASE("Linear neighbours that float32 alone sees have no meaning") {
  const auto resized = [](std::int64_t from, std::int64_t to, bool resizes, std::int64_t element,
                          ::onnx::TensorProto::DataType type) {
    OnnxBuilder b;
    b.input("x", {1, 1, from}, type);
    b.output("y", {1, 1, to}, type);
    b.integers("sizes", {1, 1, to});
    b.integers("first", {element});
    b.integers("last", {element + to});
    b.integers("axis", {2});
    if (resizes) {
      auto& node = b.node("Resize", {"x", "", "", "sizes"}, {"y"});
      OnnxBuilder::attribute(node, "mode", ::onnx::AttributeProto::STRING).set_s("linear");
    } else {
      b.node("Slice", {"x", "first", "last", "axis"}, {"y"});
    }
    return b;
  };
  // Coordinate 3, in float32 2.9999998.
  constexpr auto kFloat = ::onnx::TensorProto::FLOAT;
  CHECK(prove(resized(7, 1, true, 3, kFloat), resized(7, 1, false, 3, kFloat)).outcome ==
        Outcome::Unknown);
  CHECK(prove(resized(5, 1, true, 2, kFloat), resized(5, 1, false, 2, kFloat)).outcome ==
        Outcome::Equivalent);
  // Of integers it is a sum with a neighbour of weight 0.
  constexpr auto kInteger = ::onnx::TensorProto::UINT8;
  CHECK(prove(resized(5, 1, true, 2, kInteger), resized(5, 1, false, 2, kInteger)).outcome ==
        Outcome::Unknown);
}

TEST_CASE("An alpha of 0 has no meaning: what it is multiplied by may be infinite") {
  const auto biased = [](bool multiplies) {
    return of_x([&](OnnxBuilder& b) {
      b.floats("w", {3, 3}, std::vector<float>(9, 3e38F));
      b.floats("c", {2, 3}, {1, 2, 3, 4, 5, 6});
      if (multiplies) {
        auto& node = b.node("Gemm", {"x", "w", "c"}, {"g"});
        OnnxBuilder::attribute(node, "alpha", ::onnx::AttributeProto::FLOAT).set_f(0);
      } else {
        b.node("Identity", {"c"}, {"g"});
      }
      b.node("Add", {"x", "g"}, {"y"});
    });
  };
  CHECK(prove(biased(false), biased(true)).outcome == Outcome::Unknown);
  CHECK(prove(biased(true), biased(true)).outcome == Outcome::Equivalent);
}

TEST_CASE("Products over no element have no meaning: runtimes leave out what is added, or worse") {
  const auto added = [](const std::string& by) {
    return of_x([&](OnnxBuilder& b) {
      b.integers("none", {0});
      b.integers("axis", {1});
      b.node("Slice", {"x", "none", "none", "axis"}, {"s"});
      b.floats("w", {0, 3}, {});
      b.floats("b", {2, 3}, {1, 2, 3, 4, 5, 6});
      b.floats("zeros", {2, 3}, std::vector<float>(6, 0));
      if (by == "Gemm") {
        auto& node = b.node("Gemm", {"s", "w", "b"}, {"g"});
        OnnxBuilder::attribute(node, "beta", ::onnx::AttributeProto::FLOAT).set_f(2);
      } else if (by == "Add") {
        b.node("Add", {"b", "b"}, {"g"});
      } else if (by == "MatMul") {
        b.node("MatMul", {"s", "w"}, {"g"});
      } else if (by == "Einsum") {
        auto& node = b.node("Einsum", {"s", "w"}, {"g"});
        OnnxBuilder::attribute(node, "equation", ::onnx::AttributeProto::STRING).set_s("ij,jk->ik");
      } else {
        b.node("Identity", {"zeros"}, {"g"});
      }
      b.node("Add", {"x", "g"}, {"y"});
    });
  };
  CHECK(prove(added("Gemm"), added("Add")).outcome == Outcome::Unknown);
  for (const char* product : {"MatMul", "Einsum"}) {
    CHECK(prove(added(product), added("zeros")).outcome == Outcome::Unknown);
    CHECK(prove(added(product), added(product)).outcome == Outcome::Equivalent);
  }
}

TEST_CASE("What a border of -0 is divided into is another infinity") {
  const auto padded = [](float fill) {
    return of_x([&](OnnxBuilder& b) {
      b.integers("none", {0, 0, 0, 0});
      b.floats("fill", {}, {fill});
      b.node("Pad", {"x", "none", "fill"}, {"p"});
      b.node("Reciprocal", {"p"}, {"y"});
    });
  };
  CHECK(prove(padded(0), padded(0)).outcome == Outcome::Equivalent);
  CHECK(prove(padded(0), padded(-0.0F)).outcome == Outcome::Unknown);
}
