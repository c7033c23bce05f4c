#include "core/onnx/infinities.h"

#include <algorithm>
#include <cmath>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {
namespace {

Finiteness of_float(double x) {
  return std::isnan(x)   ? Finiteness::MaybeNoNumber
         : std::isinf(x) ? Finiteness::MaybeInfinite
                         : Finiteness::Finite;
}

template <class List, class OfOne>
Finiteness worst_of(const List& list, const OfOne& of_one) {
  Finiteness worst = Finiteness::Finite;
  for (const auto& one : list) worst = std::max(worst, of_one(one));
  return worst;
}

Finiteness finiteness_in(const ::onnx::TensorProto& tensor) {
  const auto dtype = dtype_from(tensor.data_type()).value_or(DType::Undefined);
  if (tensor.has_raw_data())
    return finiteness_of(dtype, std::as_bytes(std::span(tensor.raw_data())));
  const auto of_number = [](auto x) { return of_float(static_cast<double>(x)); };
  // float16 stands in words of 32 bits.
  const auto of_word = [&](std::int32_t word) {
    const bool is_short = dtype == DType::Float16 || dtype == DType::BFloat16;
    const auto bits = static_cast<std::uint16_t>(word);
    return is_short ? finiteness_of(dtype, std::as_bytes(std::span(&bits, 1))) : Finiteness::Finite;
  };
  return std::max({worst_of(tensor.float_data(), of_number),
                   worst_of(tensor.double_data(), of_number),
                   worst_of(tensor.int32_data(), of_word)});
}

Finiteness finiteness_in(const ::onnx::NodeProto& node);

Finiteness finiteness_in(const ::onnx::GraphProto& graph) {
  const auto of_one = [](const auto& one) { return finiteness_in(one); };
  return std::max(worst_of(graph.initializer(), of_one), worst_of(graph.node(), of_one));
}

// At any depth: messages are not nested deeper than their reader allows.
Finiteness finiteness_in(const ::onnx::NodeProto& node) {
  return worst_of(node.attribute(), [](const ::onnx::AttributeProto& a) {
    const auto of_one = [](const auto& one) { return finiteness_in(one); };
    const auto of_number = [](float x) { return of_float(static_cast<double>(x)); };
    return std::max(
        {of_number(a.f()), worst_of(a.floats(), of_number),
         a.has_t() ? finiteness_in(a.t()) : Finiteness::Finite, worst_of(a.tensors(), of_one),
         a.has_g() ? finiteness_in(a.g()) : Finiteness::Finite, worst_of(a.graphs(), of_one)});
  });
}

}  // namespace

Finiteness Infinities::of(NodeId id) const {
  if (graph_.type(id).dtype == DType::String) return Finiteness::MaybeNoNumber;  // it may spell one
  if (const Tensor* constant = graph_.node(id).constant()) return finiteness_of(*constant);
  return id.index() < noted_.size() ? noted_[id.index()] : Finiteness::Finite;
}

bool Infinities::are_among(const std::vector<NodeId>& ids) const {
  return std::ranges::any_of(ids, [&](NodeId id) { return of(id) != Finiteness::Finite; });
}

Made Infinities::made(const Meaning& meaning, const std::vector<NodeId>& operands) const {
  std::vector<Finiteness> numbers;
  for (const NodeId id : operands) numbers.push_back(of(id));
  return made_of(meaning, std::move(numbers));
}

void Infinities::note(NodeId id, const std::vector<NodeId>& operands, Finiteness numbers) {
  add(id, numbers);
  const auto is_constant = [&](NodeId operand) { return follows_from_constants(operand); };
  if (!operands.empty() && std::ranges::all_of(operands, is_constant)) note_constant(id);
}

// What a node without a meaning makes of constants nobody computes here: it may leave the floats.
void Infinities::note_opaque(NodeId id, const ::onnx::NodeProto& node,
                             const std::vector<NodeId>& operands, std::optional<Finiteness> made) {
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
  if (is_made_of_constants) add(id, made_of_constants(id, node, operands));
  if (are_among(operands)) add(id, made.value_or(Finiteness::MaybeNoNumber));
  add(id, finiteness_in(node));
}

// Floats hold whatever it makes of integers, or of a finite number of fewer bits.
Finiteness Infinities::made_of_constants(NodeId id, const ::onnx::NodeProto& node,
                                         const std::vector<NodeId>& operands) const {
  const bool is_cast = node.op_type() == "Cast";
  const Finiteness beyond = is_cast ? Finiteness::MaybeInfinite : Finiteness::MaybeNoNumber;
  const DType to = graph_.type(id).dtype;
  if (to != DType::Float && to != DType::Double) return beyond;
  const auto is_integer = [&](NodeId operand) {
    const DType dtype = graph_.type(operand).dtype;
    return dtype == DType::Bool || integer_range(dtype).has_value();
  };
  if (std::ranges::all_of(operands, is_integer)) return Finiteness::Finite;
  const DType from = graph_.type(operands[0]).dtype;
  const bool is_wider = is_cast && graph_.node(operands[0]).constant() != nullptr &&
                        (from == DType::Float16 || from == DType::BFloat16);
  return is_wider ? Finiteness::Finite : beyond;
}

bool Infinities::follows_from_constants(NodeId id) const {
  return graph_.node(id).constant() != nullptr ||
         (id.index() < of_constants_.size() && of_constants_[id.index()] != 0);
}

void Infinities::note_constant(NodeId id) {
  if (of_constants_.size() <= id.index()) of_constants_.resize(id.index() + 1, 0);
  of_constants_[id.index()] = 1;
}

void Infinities::add(NodeId id, Finiteness numbers) {
  if (numbers == Finiteness::Finite) return;
  if (noted_.size() <= id.index()) noted_.resize(id.index() + 1, Finiteness::Finite);
  noted_[id.index()] = std::max(noted_[id.index()], numbers);
}

}  // namespace pet::onnx_io
