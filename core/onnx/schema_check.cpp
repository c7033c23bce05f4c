#include "core/onnx/schema_check.h"

#include <fmt/format.h>
#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>

#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

using ::onnx::OpSchema;

// Of the default domain.
int newest_known_opset() {
  static const int newest = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance()
                                .Map()
                                .at(::onnx::ONNX_DOMAIN)
                                .second;
  return newest;
}

// What the operand is called there; of more operands than there are names the last one counts,
// which is that of a list of any length.
const OpSchema::FormalParameter& parameter(const OpSchema& schema, std::size_t operand) {
  return schema.inputs()[std::min(operand, schema.inputs().size() - 1)];
}

std::optional<std::string> type_objection(const OpSchema& schema, const Operands& operands,
                                          const GraphBuilder& graph) {
  std::map<std::string, DType> bound;  // by the name of a type variable
  for (std::size_t i = 0; i < operands.size() && !schema.inputs().empty(); ++i) {
    if (!operands[i]) continue;
    const DType dtype = graph.type(*operands[i]).dtype;
    if (dtype == DType::Undefined) continue;
    ::onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(static_cast<int>(dtype));
    const OpSchema::FormalParameter& formal = parameter(schema, i);
    if (!formal.GetTypes().contains(::onnx::Utils::DataTypeUtils::ToType(type)))
      return fmt::format("operand {} is {}", i, to_string(dtype));
    const bool each_its_own =
        formal.GetOption() == OpSchema::Variadic && !formal.GetIsHomogeneous();
    const auto [it, is_new] = bound.emplace(formal.GetTypeStr(), dtype);
    if (!is_new && !each_its_own && it->second != dtype)
      return fmt::format("operands are {} and {}", to_string(it->second), to_string(dtype));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schema_objection(const ::onnx::NodeProto& node, int opset,
                                            const Operands& operands, const GraphBuilder& graph) {
  if (opset > newest_known_opset()) return std::nullopt;
  const OpSchema* schema = ::onnx::OpSchemaRegistry::Schema(node.op_type(), opset, "");
  if (schema == nullptr) return std::nullopt;
  std::optional<std::string> why;
  // The library says what it does not like, or what types it has never heard of, by throwing.
  try {
    schema->Verify(node);
    why = type_objection(*schema, operands, graph);
  } catch (const std::exception& refusal) {
    why = refusal.what();
  }
  if (!why) return std::nullopt;
  return fmt::format("no {} of operator set {}: {}", printable(node.op_type()), opset,
                     printable(*why));
}

}  // namespace pet::onnx_io
