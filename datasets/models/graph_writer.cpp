#include "datasets/models/graph_writer.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

#include "core/util/check.h"

namespace pet::datasets {
namespace {

void declare(onnx::ValueInfoProto& info, const std::string& name, ElementType type,
             const Shape& shape) {
  info.set_name(name);
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  onnx::TensorShapeProto& declared = *tensor.mutable_shape();  // a scalar has an empty shape
  for (const Extent& extent : shape) extent.declare(*declared.add_dim());
}

template <class Number>
onnx::TensorProto raw_tensor(ElementType type, const Dims& shape,
                             const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little,
                "ONNX stores raw data in little endian");
  PET_CHECK(numbers.size() == element_count(shape),
            "a weight has as many numbers as its shape says");
  onnx::TensorProto tensor;
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  tensor.set_data_type(type);
  tensor.set_raw_data(numbers.data(), numbers.size() * sizeof(Number));
  return tensor;
}

// Writes the value of an attribute with the type that belongs to it.
struct AttributeValue {
  onnx::AttributeProto& made;

  void operator()(std::int64_t value) const {
    made.set_type(onnx::AttributeProto::INT);
    made.set_i(value);
  }
  void operator()(float value) const {
    made.set_type(onnx::AttributeProto::FLOAT);
    made.set_f(value);
  }
  void operator()(const Dims& values) const {
    made.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) made.add_ints(value);
  }
  void operator()(const std::string& value) const {
    made.set_type(onnx::AttributeProto::STRING);
    made.set_s(value);
  }
  void operator()(const onnx::TensorProto& value) const {
    made.set_type(onnx::AttributeProto::TENSOR);
    *made.mutable_t() = value;
  }
};

}  // namespace

Extent Extent::times(std::int64_t factor) const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) return {*number * factor};
  if (const auto* name = std::get_if<std::string>(&value_))
    return Extent(std::to_string(factor) + "*" + *name);
  return {};
}

void Extent::declare(onnx::TensorShapeProto::Dimension& dim) const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) dim.set_dim_value(*number);
  if (const auto* name = std::get_if<std::string>(&value_)) dim.set_dim_param(*name);
}

void set(onnx::NodeProto& node, const Attribute& attribute) {
  onnx::AttributeProto& made = *node.add_attribute();
  made.set_name(attribute.name);
  std::visit(AttributeValue{made}, attribute.value);
}

GraphWriter::GraphWriter(const std::string& doc, const FileVersion& version) {
  model_.set_ir_version(version.ir);
  model_.set_producer_name("pet-datasets");
  model_.set_doc_string(doc);
  model_.add_opset_import()->set_version(version.opset);
  model_.mutable_graph()->set_name("main_graph");
}

void GraphWriter::input(const std::string& name, ElementType type, const Shape& shape) {
  declare(*model_.mutable_graph()->add_input(), name, type, shape);
}

void GraphWriter::output(const std::string& name, ElementType type, const Shape& shape) {
  declare(*model_.mutable_graph()->add_output(), name, type, shape);
}

void GraphWriter::value_info(const std::string& name, ElementType type, const Shape& shape) {
  declare(*model_.mutable_graph()->add_value_info(), name, type, shape);
}

onnx::NodeProto& GraphWriter::node(const std::string& name, const std::string& type,
                                   const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs) {
  onnx::NodeProto& made = *model_.mutable_graph()->add_node();
  for (const std::string& input : inputs) made.add_input(input);
  for (const std::string& output : outputs) made.add_output(output);
  made.set_name(name);
  made.set_op_type(type);
  return made;
}

void GraphWriter::initializer(const std::string& name, onnx::TensorProto tensor) {
  tensor.set_name(name);
  *model_.mutable_graph()->add_initializer() = std::move(tensor);
}

void GraphWriter::rename(const std::string& from, const std::string& to) {
  for (onnx::NodeProto& node : *model_.mutable_graph()->mutable_node()) {
    std::replace(node.mutable_input()->begin(), node.mutable_input()->end(), from, to);
    std::replace(node.mutable_output()->begin(), node.mutable_output()->end(), from, to);
  }
}

std::size_t element_count(const Dims& shape) {
  return static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

Dims counted(std::int64_t number) {
  Dims out(static_cast<std::size_t>(number));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

onnx::TensorProto tensor_of(const Dims& shape, const std::vector<float>& numbers) {
  return raw_tensor(onnx::TensorProto::FLOAT, shape, numbers);
}

onnx::TensorProto tensor_of(const Dims& shape, const std::vector<std::int64_t>& numbers) {
  return raw_tensor(onnx::TensorProto::INT64, shape, numbers);
}

onnx::TensorProto byte_tensor(ElementType type, const Dims& shape,
                              const std::vector<std::uint8_t>& bytes) {
  return raw_tensor(type, shape, bytes);
}

}  // namespace pet::datasets
