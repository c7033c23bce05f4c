#include "core/onnx/infinities.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {
namespace {

// Of floats whose exponent is the field of `bits` ones above the fraction's.
template <class Word>
bool any_of_largest_exponent(std::span<const std::byte> bytes, Word exponent) {
  for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
    Word word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(Word));
    if ((word & exponent) == exponent) return true;
  }
  return false;
}

// Kinds of numbers that have no infinity, and what is not stored by plain bytes, hold none.
bool holds_infinity(DType dtype, std::span<const std::byte> bytes) {
  switch (dtype) {
    case DType::Float:
      return any_of_largest_exponent<std::uint32_t>(bytes, 0x7f800000U);
    case DType::Double:
      return any_of_largest_exponent<std::uint64_t>(bytes, 0x7ff0000000000000ULL);
    case DType::Float16:
      return any_of_largest_exponent<std::uint16_t>(bytes, 0x7c00U);
    case DType::BFloat16:
      return any_of_largest_exponent<std::uint16_t>(bytes, 0x7f80U);
    default:
      return false;
  }
}

bool holds_infinity(const Tensor& tensor) {
  if (tensor.type().dtype == DType::Float) return !tensor.all_finite();
  return holds_infinity(tensor.type().dtype, tensor.bytes());
}

bool holds_infinity(const ::onnx::TensorProto& tensor) {
  if (tensor.has_raw_data()) {
    const auto dtype = dtype_from(tensor.data_type()).value_or(DType::Undefined);
    return holds_infinity(dtype, std::as_bytes(std::span(tensor.raw_data())));
  }
  const auto is_one = [](auto x) { return !std::isfinite(x); };
  // float16 stands in words of 32 bits.
  const bool is_short = tensor.data_type() == ::onnx::TensorProto::FLOAT16 ||
                        tensor.data_type() == ::onnx::TensorProto::BFLOAT16;
  const auto has_largest = [&](std::int32_t word) {
    const auto bits = static_cast<std::uint16_t>(word);
    return holds_infinity(static_cast<DType>(tensor.data_type()),
                          std::as_bytes(std::span(&bits, 1)));
  };
  return std::ranges::any_of(tensor.float_data(), is_one) ||
         std::ranges::any_of(tensor.double_data(), is_one) ||
         (is_short && std::ranges::any_of(tensor.int32_data(), has_largest));
}

bool holds_infinity(const ::onnx::NodeProto& node);

bool holds_infinity(const ::onnx::GraphProto& graph) {
  return std::ranges::any_of(graph.initializer(),
                             [](const auto& t) { return holds_infinity(t); }) ||
         std::ranges::any_of(graph.node(), [](const auto& n) { return holds_infinity(n); });
}

// At any depth: messages are not nested deeper than their reader allows.
bool holds_infinity(const ::onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const ::onnx::AttributeProto& a) {
    return !std::isfinite(a.f()) ||
           std::ranges::any_of(a.floats(), [](float x) { return !std::isfinite(x); }) ||
           (a.has_t() && holds_infinity(a.t())) ||
           std::ranges::any_of(a.tensors(), [](const auto& t) { return holds_infinity(t); }) ||
           (a.has_g() && holds_infinity(a.g())) ||
           std::ranges::any_of(a.graphs(), [](const auto& g) { return holds_infinity(g); });
  });
}

}  // namespace

bool Infinities::has(NodeId id) const {
  if (graph_.type(id).dtype == DType::String) return true;  // it may spell one
  if (const Tensor* constant = graph_.node(id).constant()) return holds_infinity(*constant);
  return id.index() < noted_.size() && noted_[id.index()] != 0;
}

bool Infinities::has_any(const std::vector<NodeId>& ids) const {
  return std::ranges::any_of(ids, [&](NodeId id) { return has(id); });
}

Fate Infinities::fate(const Meaning& meaning, const std::vector<NodeId>& operands) const {
  std::vector<char> marked;
  for (const NodeId id : operands) marked.push_back(has(id) ? 1 : 0);
  return fate_of(meaning, std::move(marked));
}

void Infinities::note_computed(NodeId id, const std::vector<NodeId>& operands) {
  const auto is_constant = [&](NodeId operand) { return follows_from_constants(operand); };
  if (!operands.empty() && std::ranges::all_of(operands, is_constant)) note_constant(id);
}

// What a node without a meaning makes of constants nobody computes here: it may leave the floats.
void Infinities::note_opaque(NodeId id, const ::onnx::NodeProto& node,
                             const std::vector<NodeId>& operands) {
  const DType dtype = graph_.type(id).dtype;
  const bool may_hold_one = dtype == DType::Undefined || dtype == DType::Float ||
                            dtype == DType::Double || dtype == DType::Float16 ||
                            dtype == DType::BFloat16;
  if (!may_hold_one) return;
  const bool is_made_of_constants =
      !operands.empty() && std::ranges::all_of(operands, [&](NodeId operand) {
        return follows_from_constants(operand);
      });
  if (is_made_of_constants) note_constant(id);
  if (has_any(operands) || holds_infinity(node) ||
      (is_made_of_constants && !stays_finite(id, node, operands))) {
    add(id);
  }
}

// Whether floats hold whatever it makes of them: integers, or a finite number of fewer bits.
bool Infinities::stays_finite(NodeId id, const ::onnx::NodeProto& node,
                              const std::vector<NodeId>& operands) const {
  const DType to = graph_.type(id).dtype;
  if (to != DType::Float && to != DType::Double) return false;
  const auto is_integer = [&](NodeId operand) {
    const DType dtype = graph_.type(operand).dtype;
    return dtype == DType::Bool || integer_range(dtype).has_value();
  };
  if (std::ranges::all_of(operands, is_integer)) return true;
  const DType from = graph_.type(operands[0]).dtype;
  return node.op_type() == "Cast" && graph_.node(operands[0]).constant() != nullptr &&
         (from == DType::Float16 || from == DType::BFloat16);
}

bool Infinities::follows_from_constants(NodeId id) const {
  return graph_.node(id).constant() != nullptr ||
         (id.index() < of_constants_.size() && of_constants_[id.index()] != 0);
}

void Infinities::note_constant(NodeId id) {
  if (of_constants_.size() <= id.index()) of_constants_.resize(id.index() + 1, 0);
  of_constants_[id.index()] = 1;
}

void Infinities::add(NodeId id) {
  if (noted_.size() <= id.index()) noted_.resize(id.index() + 1, 0);
  noted_[id.index()] = 1;
}

}  // namespace pet::onnx_io
