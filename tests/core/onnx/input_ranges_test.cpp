#include "core/onnx/input_ranges.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/ops/ops.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::OnnxBuilder;
using testing::ScratchFolder;
using Ranges = std::map<std::string, ValueRange>;

constexpr int kInt64 = 7;
constexpr int kInt32 = 6;

Result<Ranges> ranges_of(const OnnxBuilder& builder) {
  const ScratchFolder folder;
  const auto model = read_model(builder.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  return input_ranges(*model);
}

void set_axis(::onnx::NodeProto& node, std::int64_t axis) {
  OnnxBuilder::attribute(node, "axis", ::onnx::AttributeProto::INT).set_i(axis);
}

// y = Op(x)
OnnxBuilder unary(const std::string& op) {
  OnnxBuilder b;
  b.input("x", {4});
  b.node(op, {"x"}, {"y"});
  b.output("y", {4});
  return b;
}

TEST_CASE("An index lies inside the axis that it indexes") {
  OnnxBuilder b;
  b.input("first", {2}, kInt64);
  b.input("last", {2}, kInt64);
  b.floats("table", {3, 5}, std::vector<float>(15, 1));
  b.node("Gather", {"table", "first"}, {"a"});
  set_axis(b.node("Gather", {"table", "last"}, {"b"}), -1);
  b.output("a", {2, 5});
  b.output("b", {3, 2});
  const auto ranges = ranges_of(b);
  REQUIRE(ranges.ok());
  CHECK(ranges->at("first") == ValueRange{0, 2});
  CHECK(ranges->at("last") == ValueRange{0, 4});
}

TEST_CASE("An index is followed through conversions and views") {
  OnnxBuilder b;
  b.input("ids", {2, 3}, kInt32);
  b.floats("table", {7, 2}, std::vector<float>(14, 1));
  b.integers("flat", {6});
  auto& cast = b.node("Cast", {"ids"}, {"wide"});
  OnnxBuilder::attribute(cast, "to", ::onnx::AttributeProto::INT).set_i(kInt64);
  b.node("Reshape", {"wide", "flat"}, {"line"});
  b.node("Gather", {"table", "line"}, {"y"});
  b.output("y", {6, 2});
  const auto ranges = ranges_of(b);
  REQUIRE(ranges.ok());
  CHECK(ranges->at("ids") == ValueRange{0, 6});
}

TEST_CASE("Two readers leave what both admit") {
  OnnxBuilder b;
  b.input("ids", {2}, kInt64);
  b.floats("long", {7, 2}, std::vector<float>(14, 1));
  b.floats("short", {1, 2}, {1, 2});
  b.node("Gather", {"long", "ids"}, {"a"});
  b.node("Gather", {"short", "ids"}, {"b"});
  b.output("a", {2, 2});
  b.output("b", {2, 2});
  const auto ranges = ranges_of(b);
  REQUIRE(ranges.ok());
  CHECK(ranges->at("ids") == ValueRange{0, 0});
}

TEST_CASE("An index into nothing is refused, its input and its reader named") {
  OnnxBuilder b;
  b.input("ids", {2}, kInt64);
  b.floats("table", {0, 2}, {});
  b.node("Gather", {"table", "ids"}, {"y"});
  b.output("y", {2, 2});
  const auto ranges = ranges_of(b);
  REQUIRE_FALSE(ranges.ok());
  CHECK(ranges.error().message.find("input ids") != std::string::npos);
  CHECK(ranges.error().message.find("'make_y' (Gather)") != std::string::npos);
}

TEST_CASE("The depth of a OneHot bounds its index") {
  OnnxBuilder b;
  b.input("ids", {2}, kInt64);
  b.integers("depth", {5});
  b.floats("values", {2}, {0, 1});
  b.node("OneHot", {"ids", "depth", "values"}, {"y"});
  b.output("y", {2, 5});
  const auto ranges = ranges_of(b);
  REQUIRE(ranges.ok());
  CHECK(ranges->at("ids") == ValueRange{0, 4});
}

TEST_CASE("A depth that is no number of rows is refused") {
  for (const float depth : {NAN, -1.0F, 0.0F}) {
    OnnxBuilder b;
    b.input("ids", {2}, kInt64);
    b.floats("depth", {1}, {depth});
    b.floats("values", {2}, {0, 1});
    b.node("OneHot", {"ids", "depth", "values"}, {"y"});
    b.output("y", {2, 5});
    CHECK_FALSE(ranges_of(b).ok());
  }
}

TEST_CASE("What is defined for positive numbers only reads positive ones") {
  for (const std::string op : {"Sqrt", "Log", "Reciprocal"}) {
    const auto ranges = ranges_of(unary(op));
    REQUIRE(ranges.ok());
    CHECK(ranges->at("x").low > 0);
  }
  const auto ranges = ranges_of(unary("Exp"));
  REQUIRE(ranges.ok());
  CHECK(ranges->empty());
}

TEST_CASE("A square takes every number, a root only positive ones") {
  for (const float exponent : {2.0F, 0.5F}) {
    OnnxBuilder b;
    b.input("x", {4});
    b.floats("e", {1}, {exponent});
    b.node("Pow", {"x", "e"}, {"y"});
    b.output("y", {4});
    const auto ranges = ranges_of(b);
    REQUIRE(ranges.ok());
    CHECK((ranges->at("x").low > 0) == (exponent < 1));
  }
}

TEST_CASE("Whatever applies a partial function to an operand says what that operand admits") {
  for (const OpDef* def : ops::all()) {
    if (def->lower == nullptr || def->arity.min > 2) continue;
    const std::vector<Shape> shapes(def->arity.min, Shape{2, 2});
    const auto op = make_op(*def, {});
    if (!op) continue;  // needs attributes: none of these has a partial function
    const auto meaning = def->lower(*op, shapes);
    if (!meaning) continue;
    for (const Application& application : meaning->applications) {
      if (application.function->totality != Totality::Partial) continue;
      if (application.window) continue;  // undefined only where all of a row are equal
      OnnxBuilder b;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        names.push_back("x" + std::to_string(i));
        b.input(names.back(), {2, 2});
      }
      b.node(def->name, names, {"y"});
      b.output("y", {2, 2});
      const auto ranges = ranges_of(b);
      REQUIRE(ranges.ok());
      INFO(def->name);
      CHECK(ranges->contains(names[static_cast<std::size_t>(application.elements[0].operand)]));
    }
  }
}

TEST_CASE("What somebody says of an input counts, also where nothing could be drawn for it") {
  OnnxBuilder b;
  b.input("x", {6});
  b.input("extents", {2}, 7);
  b.node("Reshape", {"x", "extents"}, {"y"});
  b.output("y", {2, 3});
  const ScratchFolder folder;
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  CHECK_FALSE(input_ranges(*model).ok());
  const std::map<std::string, ValueRange> said = {{"extents", {1, 6}}, {"x", {-2, -1}}};
  const auto ranges = input_ranges(*model, said);
  REQUIRE(ranges.ok());
  CHECK(*ranges == said);
}

}  // namespace
}  // namespace pet
