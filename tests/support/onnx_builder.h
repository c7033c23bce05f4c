// Small ONNX files for tests, built message by message.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace pet::testing {

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct OnnxBuilder {
  ::onnx::ModelProto model;

  explicit OnnxBuilder(std::int64_t opset = 17, std::int64_t ir = 8) {
    model.set_ir_version(ir);
    model.add_opset_import()->set_version(opset);
    model.mutable_graph()->set_name("g");
  }

  ::onnx::GraphProto& graph() { return *model.mutable_graph(); }

  static void declare(::onnx::ValueInfoProto& value, const std::string& name,
                      const std::vector<std::int64_t>& shape, int dtype = 1) {
    value.set_name(name);
    auto* tensor = value.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(dtype);
    tensor->mutable_shape();
    for (const auto extent : shape) tensor->mutable_shape()->add_dim()->set_dim_value(extent);
  }
  void input(const std::string& name, const std::vector<std::int64_t>& shape, int dtype = 1) {
    declare(*graph().add_input(), name, shape, dtype);
  }
  void output(const std::string& name, const std::vector<std::int64_t>& shape, int dtype = 1) {
    declare(*graph().add_output(), name, shape, dtype);
  }
  void value_info(const std::string& name, const std::vector<std::int64_t>& shape, int dtype = 1) {
    declare(*graph().add_value_info(), name, shape, dtype);
  }

  static void fill(::onnx::TensorProto& tensor, const std::string& name,
                   const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
    tensor.set_name(name);
    tensor.set_data_type(1);
    for (const auto extent : shape) tensor.add_dims(extent);
    tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  }
  ::onnx::TensorProto& floats(const std::string& name, const std::vector<std::int64_t>& shape,
                              const std::vector<float>& values) {
    fill(*graph().add_initializer(), name, shape, values);
    return *graph().mutable_initializer(graph().initializer_size() - 1);
  }
  ::onnx::TensorProto& integers(const std::string& name, const std::vector<std::int64_t>& values) {
    auto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(7);
    tensor.add_dims(static_cast<std::int64_t>(values.size()));
    tensor.set_raw_data(values.data(), values.size() * sizeof(std::int64_t));
    return tensor;
  }

  ::onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& domain = "") {
    auto& node = *graph().add_node();
    node.set_op_type(op);
    node.set_domain(domain);
    node.set_name(outputs.empty() ? op : "make_" + outputs.front());
    for (const auto& name : inputs) node.add_input(name);
    for (const auto& name : outputs) node.add_output(name);
    return node;
  }
  // A model-local function of one node: b is that operator of a.
  ::onnx::FunctionProto& function(const std::string& name, const std::string& domain,
                                  const std::string& op) {
    if (!domain.empty()) model.add_opset_import()->set_domain(domain);
    auto& f = *model.add_functions();
    f.set_name(name);
    f.set_domain(domain);
    f.add_input("a");
    f.add_output("b");
    f.add_opset_import()->set_version(17);
    auto& node = *f.add_node();
    node.set_op_type(op);
    node.add_input("a");
    node.add_output("b");
    return f;
  }
  static ::onnx::AttributeProto& attribute(::onnx::NodeProto& node, const std::string& name,
                                           ::onnx::AttributeProto::AttributeType type) {
    auto& a = *node.add_attribute();
    a.set_name(name);
    a.set_type(type);
    return a;
  }

  std::string bytes() const { return model.SerializeAsString(); }
  std::filesystem::path save(const std::filesystem::path& path) const {
    write_bytes(path, bytes());
    return path;
  }
};

// y = Relu(Conv(x, w)), z = x + x
inline OnnxBuilder conv_relu() {
  OnnxBuilder b;
  b.input("x", {1, 2, 4, 4});
  b.floats("w", {3, 2, 1, 1}, {1, 2, 3, 4, 5, 6});
  b.node("Conv", {"x", "w"}, {"c"});
  b.node("Relu", {"c"}, {"y"});
  b.node("Add", {"x", "x"}, {"z"});
  b.value_info("c", {1, 3, 4, 4});
  b.output("y", {1, 3, 4, 4});
  b.output("z", {1, 2, 4, 4});
  return b;
}

}  // namespace pet::testing
