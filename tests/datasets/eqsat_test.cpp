// The networks of the papers on rewriting by rules: what their sections and workloads say of them.
#include <onnx/onnx_pb.h>

#include <catch2/catch.hpp>
#include <map>

#include "datasets/models/models.h"

using namespace pet::datasets;

namespace {

using Counts = std::map<std::string, int>;
using Extents = std::vector<std::int64_t>;

onnx::ModelProto parsed(const std::string& name, bool tiny) {
  const auto bytes = model_bytes({.name = "eqsat/" + name, .tiny = tiny});
  REQUIRE(bytes.ok());
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(*bytes));
  return model;
}

Counts operators(const onnx::ModelProto& model) {
  Counts out;
  for (const auto& node : model.graph().node()) ++out[node.op_type()];
  return out;
}

Extents yielded(const onnx::ModelProto& model) {
  Extents out;
  for (const auto& dim : model.graph().output(0).type().tensor_type().shape().dim())
    out.push_back(dim.dim_value());
  return out;
}

Extents integers(const onnx::ModelProto& model, const std::string& node, const std::string& name) {
  for (const auto& n : model.graph().node())
    for (const auto& attribute : n.attribute())
      if (n.name() == node && attribute.name() == name)
        return {attribute.ints().begin(), attribute.ints().end()};
  FAIL(node << " has no " << name);
  return {};
}

}  // namespace

TEST_CASE("Each published network has the operators that its experiments count") {
  const std::map<std::string, Counts> expected{
      {"inception-v3",
       {{"Conv", 94}, {"Relu", 94}, {"MaxPool", 5}, {"AveragePool", 9}, {"Concat", 30}}},
      {"mobilenet-v2",
       {{"Conv", 54}, {"BatchNormalization", 53}, {"Relu", 36}, {"Add", 10}, {"AveragePool", 1}}},
      {"nasrnn",
       {{"MatMul", 80}, {"Add", 55}, {"Sigmoid", 25}, {"Relu", 10}, {"Tanh", 40}, {"Mul", 20}}},
      {"resnet50", {{"Conv", 52}, {"Relu", 52}, {"Add", 16}}},
      {"resnext50", {{"Conv", 53}, {"Relu", 53}, {"Add", 16}, {"MaxPool", 1}}},
      {"squeezenet",
       {{"Conv", 26}, {"Relu", 26}, {"MaxPool", 3}, {"Concat", 8}, {"AveragePool", 1}}},
      {"vgg19",
       {{"Conv", 16},
        {"Relu", 18},
        {"MaxPool", 5},
        {"Reshape", 1},
        {"Transpose", 3},
        {"MatMul", 3},
        {"Dropout", 2}}}};
  for (const auto& [name, counts] : expected) {
    INFO(name);
    CHECK(operators(parsed(name, true)) == counts);
  }
  // Per stage five cells of five separable convolutions, one of four more, two that fit in each.
  CHECK(operators(parsed("nasnet-a", true))["Conv"] == 1 + 3 * (5 * (5 * 2 + 2) + 5 * 2 + 2));
}

TEST_CASE("A published network yields at full size what its shapes make of it") {
  CHECK(yielded(parsed("inception-v3", false)) == Extents{1, 2048, 1, 1});
  CHECK(yielded(parsed("nasnet-a", false)) == Extents{1, 5120, 7, 7});
  CHECK(yielded(parsed("resnet50", false)) == Extents{1, 2048, 7, 7});
  CHECK(yielded(parsed("squeezenet", false)) == Extents{1, 1000, 1, 1});
}

TEST_CASE("Windows are padded as SAME: the odd zero stands behind") {
  const auto model = parsed("resnet50", true);
  CHECK(integers(model, "/layer1.0/conv2/Conv", "pads") == Extents{1, 1, 1, 1});
  CHECK(integers(model, "/layer2.0/conv2/Conv", "pads") == Extents{0, 0, 1, 1});
  CHECK(integers(model, "/layer2.0/downsample/Conv", "pads") == Extents{0, 0, 0, 0});
}

TEST_CASE("The layers of BERT and of the encoders are those of their papers") {
  const auto bert = parsed("bert", false);
  CHECK(operators(bert) ==
        Counts{{"MatMul", 8 * 6}, {"Relu", 1}, {"Reshape", 8 * 4}, {"Transpose", 8 * 4}});
  CHECK(yielded(bert) == Extents{64, 1024});
  CHECK(operators(parsed("tt", false))["MatMul"] == 18 * 8);
}
