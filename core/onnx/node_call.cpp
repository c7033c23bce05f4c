#include "core/onnx/node_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/ir/infer.h"
#include "core/ops/ops.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

// Numbers that operators read are axes, extents, pads, positions: what has more is data.
constexpr Dim kMostNumbers = 4096;

std::optional<Ints> ints_of(const Tensor& tensor) {
  if (tensor.type().dtype == DType::Int64) return Ints(tensor.ints().begin(), tensor.ints().end());
  if (tensor.type().dtype != DType::Int32) return std::nullopt;
  std::vector<std::int32_t> narrow(tensor.bytes().size() / sizeof(std::int32_t));
  if (!narrow.empty()) std::memcpy(narrow.data(), tensor.bytes().data(), tensor.bytes().size());
  return Ints(narrow.begin(), narrow.end());
}

Result<AttrValue> value_of(const ::onnx::AttributeProto& attribute) {
  switch (attribute.type()) {
    case ::onnx::AttributeProto::INT:
      return AttrValue{std::int64_t{attribute.i()}};
    case ::onnx::AttributeProto::INTS:
      return AttrValue{Ints(attribute.ints().begin(), attribute.ints().end())};
    case ::onnx::AttributeProto::FLOAT:
      return AttrValue{static_cast<double>(attribute.f())};
    case ::onnx::AttributeProto::STRING:
      return AttrValue{attribute.s()};
    default:
      return Error{"values of that type are not interpreted", ErrorKind::Unsupported};
  }
}

}  // namespace

Result<OnnxCall> make_call(const ::onnx::NodeProto& node, int opset, const Operands& operands,
                           const GraphBuilder& graph) {
  OnnxCall call{
      .op_type = node.op_type(), .opset = opset, .attrs = {}, .operands = {}, .num_outputs = 0};
  for (const auto& attribute : node.attribute()) {
    auto value = value_of(attribute);
    if (!value)
      return std::move(value).error().within(
          fmt::format("attribute '{}'", printable(attribute.name())));
    call.attrs.set(attribute.name(), *std::move(value));
  }
  for (const auto& id : operands) {
    OnnxOperand operand;
    if (id) {
      operand.present = true;
      const TensorType& type = graph.type(*id);
      if (!type.shape) return Error{"the shape of an operand is unknown", ErrorKind::Unsupported};
      operand.dtype = type.dtype;
      operand.shape = *type.shape;
      if (const Tensor* constant = graph.node(*id).constant()) {
        if (bytes_per_element(constant->type().dtype) == 0) {
          return Error{"a constant operand has no plain bytes", ErrorKind::Unsupported};
        }
        const bool is_float = constant->type().dtype == DType::Float;
        if (count(constant->shape()) <= kMostNumbers) {
          operand.ints = ints_of(*constant);
          if (is_float)
            operand.floats.emplace(constant->floats().begin(), constant->floats().end());
        }
        if (is_float && count(constant->shape()) == 1) operand.scalar = operand.floats->front();
      }
    }
    call.operands.push_back(std::move(operand));
  }
  // Outputs that nobody names at the end are as good as not there, but Split counts its pieces.
  for (int i = 0; i < node.output_size(); ++i) {
    if (!node.output(i).empty() || node.op_type() == "Split")
      call.num_outputs = static_cast<std::size_t>(i) + 1;
  }
  return call;
}

Result<NodeId> add_imported(GraphBuilder& graph, const OnnxImported& imported,
                            const Operands& operands, const std::string& name,
                            Infinities& infinities) {
  std::vector<NodeId> ids;
  for (const OnnxSource& source : imported.operands) {
    if (const auto* place = std::get_if<std::size_t>(&source)) {
      if (*place >= operands.size() || !operands[*place])
        return Error{fmt::format("operand {} is missing", *place)};
      ids.push_back(*operands[*place]);
    } else {
      ids.push_back(graph.add_scalar(static_cast<float>(std::get<double>(source))));
    }
  }
  Finiteness numbers = Finiteness::Finite;
  if (infinities.are_among(ids)) {
    const auto inferred = infer(imported.op, graph.types(ids), {});
    if (!inferred) return inferred.error();
    const Made made = infinities.made(inferred->meaning, ids);
    if (made.fate == Fate::Computed)
      return Error{"an operand is infinite, or no number, by a constant of the file",
                   ErrorKind::Unsupported};
    numbers = made.numbers;
  }
  auto id = graph.add(imported.op, ids, name);
  if (id) infinities.note(*id, ids, numbers);
  return id;
}

std::optional<Finiteness> numbers_made(const ::onnx::NodeProto& node, int opset,
                                       const Operands& operands, const GraphBuilder& graph,
                                       const Infinities& infinities) {
  const OpDef* def = ops::find(node.op_type());
  const auto call = make_call(node, opset, operands, graph);
  if (def == nullptr || !call) return std::nullopt;
  const auto imported = import_call(*def, *call);
  if (!imported) return std::nullopt;
  Finiteness worst = Finiteness::Finite;
  for (const OnnxImported& one : *imported) {
    std::vector<NodeId> ids;
    for (const OnnxSource& source : one.operands) {
      const auto* place = std::get_if<std::size_t>(&source);
      if (place == nullptr || *place >= operands.size() || !operands[*place]) return std::nullopt;
      ids.push_back(*operands[*place]);
    }
    const auto inferred = infer(one.op, graph.types(ids), {});
    if (!inferred) return std::nullopt;
    worst = std::max(worst, infinities.made(inferred->meaning, ids).numbers);
  }
  return worst;
}

Result<std::shared_ptr<const Tensor>> constant_of(const ::onnx::NodeProto& node,
                                                  const std::shared_ptr<const ParsedFile>& file) {
  if (node.attribute_size() != 1 || node.output_size() != 1 || node.input_size() != 0) {
    return Error{"a constant has one attribute and one output"};
  }
  const auto& attribute = node.attribute(0);
  const auto& kind = attribute.name();
  const auto type = attribute.type();
  if (kind == "value" && type == ::onnx::AttributeProto::TENSOR) {
    return read_tensor(attribute.t(), file);
  }
  if (kind == "value_float" && type == ::onnx::AttributeProto::FLOAT) {
    return std::make_shared<const Tensor>(Tensor::of_floats({}, {attribute.f()}));
  }
  if (kind == "value_int" && type == ::onnx::AttributeProto::INT) {
    return std::make_shared<const Tensor>(Tensor::of_ints({}, {attribute.i()}));
  }
  if (kind == "value_floats" && type == ::onnx::AttributeProto::FLOATS) {
    const std::vector<float> values(attribute.floats().begin(), attribute.floats().end());
    return std::make_shared<const Tensor>(Tensor::of_floats({attribute.floats_size()}, values));
  }
  if (kind == "value_ints" && type == ::onnx::AttributeProto::INTS) {
    const Ints values(attribute.ints().begin(), attribute.ints().end());
    return std::make_shared<const Tensor>(Tensor::of_ints({attribute.ints_size()}, values));
  }
  return Error{fmt::format("a constant by {} is not interpreted", printable(kind)),
               ErrorKind::Unsupported};
}

}  // namespace pet::onnx_io
