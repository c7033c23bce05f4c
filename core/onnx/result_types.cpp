#include "core/onnx/result_types.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/ir/infer.h"
#include "core/onnx/node_context.h"
#include "core/ops/ops.h"
#include "core/util/check.h"

namespace pet::onnx_io {
namespace {

using ::onnx::NodeProto;
using ::onnx::TypeProto;

constexpr Dim kMostNumbers = 4096;  // of an operand that extents follow from

// Newer operator sets read such a node otherwise than the last one that the library knows, or not
// at all, though it would be one of that set, too.
bool was_redefined(const NodeProto& node) {
  const bool has_sizes = node.input_size() > 1 && !node.input(1).empty();
  return node.op_type() == "DFT" || (node.op_type() == "Split" && !has_sizes);
}

// The library takes some numbers as they come, and reads beyond what there is; and runtimes read
// flags that are neither 0 nor 1 in two ways.
bool may_be_asked(const ::onnx::AttributeProto& attribute) {
  if (attribute.has_g() || attribute.graphs_size() > 0) return false;
  const bool is_flag = attribute.name() == "keepdims" || attribute.name() == "noop_with_empty_axes";
  if (is_flag && attribute.i() != 0 && attribute.i() != 1) return false;
  if (attribute.name() == "batch_dims" && attribute.i() < 0) return false;
  return std::in_range<std::int32_t>(attribute.i());
}

bool may_be_asked(const ::onnx::OpSchema& schema, const NodeProto& node) {
  const bool yields_tensors = std::ranges::any_of(schema.outputs(), [](const auto& formal) {
    return std::ranges::any_of(
        formal.GetTypes(), [](const std::string* type) { return type->starts_with("tensor("); });
  });
  return yields_tensors &&
         std::ranges::all_of(node.attribute(), [](const auto& one) { return may_be_asked(one); });
}

std::optional<TypeProto> message_of(const TensorType& type) {
  if (type.dtype == DType::Undefined) return std::nullopt;
  TypeProto out;
  out.mutable_tensor_type()->set_elem_type(static_cast<int>(type.dtype));
  if (!type.shape) return out;
  auto* shape = out.mutable_tensor_type()->mutable_shape();
  for (const Dim extent : *type.shape) shape->add_dim()->set_dim_value(extent);
  return out;
}

std::shared_ptr<const ::onnx::TensorProto> number_of(const Tensor* constant) {
  if (constant == nullptr) return nullptr;
  const DType dtype = constant->type().dtype;
  const Dim number = count(constant->shape());
  const bool is_integer = dtype == DType::Int64 || dtype == DType::Int32;
  // Runtimes read a list of no axes in two ways.
  if (!is_integer || number == 0 || number > kMostNumbers) return nullptr;
  auto out = std::make_shared<::onnx::TensorProto>();
  fill_tensor(*out, *constant, {});
  return out;
}

TensorType type_of(const std::optional<TypeProto>& told) {
  const TensorType unknown{DType::Undefined, std::nullopt};
  if (!told || !told->has_tensor_type()) return unknown;
  const auto& tensor = told->tensor_type();
  const auto dtype = dtype_from(tensor.elem_type());
  if (!dtype || *dtype == DType::Undefined) return unknown;
  TensorType out{*dtype, std::nullopt};
  if (!tensor.has_shape() || tensor.shape().dim_size() > static_cast<int>(kMaxRank)) return out;
  Shape shape;
  for (const auto& dim : tensor.shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0) return out;
    shape.push_back(dim.dim_value());
  }
  if (checked_count(shape)) out.shape = std::move(shape);
  return out;
}

// Runtimes read negative axes of nothing in two ways.
bool is_of_nothing(const Operands& operands, const GraphBuilder& graph) {
  if (operands.empty() || !operands[0]) return false;
  const auto& shape = graph.type(*operands[0]).shape;
  return shape && count(*shape) == 0;
}

Types by_the_standard(const NodeProto& node, const OpsetTable& opsets, const Operands& operands,
                      const GraphBuilder& graph) {
  const Rules rules = rules_of(node, opsets);
  if (rules.schema == nullptr || rules.schema->attributes().contains("strides")) return {};
  if (!may_be_asked(*rules.schema, node) || is_of_nothing(operands, graph)) return {};
  if (!rules.is_of_that_set && was_redefined(node)) return {};
  Types types;
  Numbers numbers;
  for (const auto& id : operands) {
    types.push_back(id ? message_of(graph.type(*id)) : std::nullopt);
    numbers.push_back(id ? number_of(graph.node(*id).constant()) : nullptr);
    if (id && !types.back()) return {};
  }
  // The library says what it does not like by throwing.
  try {
    rules.schema->Verify(node);
    NodeContext context(node, types, std::move(numbers), {});
    rules.schema->GetTypeAndShapeInferenceFunction()(context);
    return context.results();
  } catch (const CheckFailed&) {
    throw;
  } catch (const std::exception&) {
    return {};
  }
}

// Shapes of a definition hold for whatever elements, and so do types unless it says something of
// them.
std::optional<std::vector<TensorType>> by_definition(const NodeProto& node,
                                                     const OpsetTable& opsets,
                                                     const Operands& operands,
                                                     const GraphBuilder& graph) {
  const OpDef* def = ops::find(node.op_type());
  if (def == nullptr) return std::nullopt;
  const auto call = make_call(node, static_cast<int>(opsets.at("")), operands, graph);
  if (!call) return std::nullopt;
  const auto imported = import_call(*def, *call);
  if (!imported) return std::nullopt;
  std::vector<TensorType> out;
  for (const OnnxImported& one : *imported) {
    if (one.op.def->element_type != nullptr) return std::nullopt;  // knows its own types alone
    std::vector<Shape> shapes;
    std::optional<DType> dtype;
    for (const OnnxSource& source : one.operands) {
      const auto* place = std::get_if<std::size_t>(&source);
      shapes.emplace_back();
      if (place == nullptr) continue;
      if (*place >= operands.size() || !operands[*place]) return std::nullopt;
      const TensorType& type = graph.type(*operands[*place]);
      if (!type.shape || type.dtype != dtype.value_or(type.dtype)) return std::nullopt;
      dtype = type.dtype;
      shapes.back() = *type.shape;
    }
    if (shapes.size() < def->arity.min || shapes.size() > def->arity.max) return std::nullopt;
    const auto meaning = meaning_of(one.op, shapes, {});
    if (!meaning || !checked_count(meaning->sum.out)) return std::nullopt;
    out.push_back({dtype.value_or(DType::Float), meaning->sum.out});
  }
  return out;
}

}  // namespace

std::vector<TensorType> result_types(const NodeProto& node, const OpsetTable& opsets,
                                     const Operands& operands, const GraphBuilder& graph) {
  std::vector<TensorType> out(static_cast<std::size_t>(node.output_size()),
                              {DType::Undefined, std::nullopt});
  if (!plain_domain(node.domain()).empty()) return out;
  const Types told = by_the_standard(node, opsets, operands, graph);
  for (std::size_t k = 0; k < std::min(told.size(), out.size()); ++k) out[k] = type_of(told[k]);
  const auto defined = by_definition(node, opsets, operands, graph);
  if (!defined) return out;
  // Statistics of doubles are floats.
  for (std::size_t k = 0; k < std::min(defined->size(), out.size()); ++k) {
    const TensorType& one = (*defined)[k];
    const bool fits = out[k].dtype == DType::Undefined || out[k].dtype == one.dtype;
    out[k] = fits ? one : TensorType{DType::Undefined, std::nullopt};
  }
  return out;
}

}  // namespace pet::onnx_io
