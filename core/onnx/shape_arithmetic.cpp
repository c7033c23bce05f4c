// Over 400 lines: what exists for the arithmetic of shapes alone is defined here, one operator
// after another.
#include "core/onnx/shape_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "core/eval/integers.h"
#include "core/ir/infer.h"
#include "core/ops/ops.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

constexpr Dim kMostElements = 4096;                              // of a constant; more is data
constexpr std::int64_t kLargestInFloat = std::int64_t{1} << 24;  // up to here floats hold integers

struct Known {
  DType dtype = DType::Int64;
  Integers value;
};

struct Node {
  const ::onnx::NodeProto& proto;
  int opset;
  const std::vector<Known>& operands;
  const std::shared_ptr<const ParsedFile>& file;
};

Error refused(std::string why) { return {std::move(why), ErrorKind::Unsupported}; }

template <class T>
std::vector<std::int64_t> widened(const Tensor& tensor) {
  std::vector<T> narrow(tensor.bytes().size() / sizeof(T));
  if (!narrow.empty()) std::memcpy(narrow.data(), tensor.bytes().data(), tensor.bytes().size());
  return {narrow.begin(), narrow.end()};
}

template <class T>
std::shared_ptr<const Tensor> stored(const Known& known) {
  auto data = std::make_shared<std::vector<T>>();
  for (const auto x : known.value.values) data->push_back(static_cast<T>(x));
  return std::make_shared<const Tensor>(TensorType{known.dtype, known.value.shape},
                                        std::as_bytes(std::span(*data)), data);
}

std::optional<Known> known_from(const Tensor& tensor) {
  const DType dtype = tensor.type().dtype;
  if (count(tensor.shape()) > kMostElements) return std::nullopt;
  if (dtype == DType::Int64) return Known{dtype, {tensor.shape(), widened<std::int64_t>(tensor)}};
  if (dtype == DType::Int32) return Known{dtype, {tensor.shape(), widened<std::int32_t>(tensor)}};
  if (dtype != DType::Bool) return std::nullopt;
  Known known{dtype, {tensor.shape(), widened<std::uint8_t>(tensor)}};
  const auto is_bit = [](std::int64_t x) { return x == 0 || x == 1; };
  if (!std::ranges::all_of(known.value.values, is_bit)) return std::nullopt;
  return known;
}

// Whether every element is a value of the type.
bool fits(const Known& known) {
  const auto within = [&](std::int64_t low, std::int64_t high) {
    return std::ranges::all_of(known.value.values,
                               [&](std::int64_t x) { return x >= low && x <= high; });
  };
  using Int32 = std::numeric_limits<std::int32_t>;
  if (known.dtype == DType::Int32) return within(Int32::min(), Int32::max());
  if (known.dtype == DType::Bool) return within(0, 1);
  if (known.dtype == DType::Float) return within(-kLargestInFloat, kLargestInFloat);
  return known.dtype == DType::Int64;
}

Result<std::shared_ptr<const Tensor>> tensor_of(const Known& known) {
  // A Gather by a table adds the table's axes: a chain of them would add up.
  if (known.value.shape.size() > kMaxRank) return refused("a rank that no tensor has");
  if (!fits(known)) return refused(fmt::format("no {} holds the result", to_string(known.dtype)));
  if (static_cast<Dim>(known.value.values.size()) > kMostElements)
    return refused("too large for shape arithmetic");
  if (known.dtype == DType::Int32) return stored<std::int32_t>(known);
  if (known.dtype == DType::Bool) return stored<std::uint8_t>(known);
  if (known.dtype == DType::Float) return stored<float>(known);
  return stored<std::int64_t>(known);
}

// An integer attribute; an error if the node has attributes besides those named.
Result<std::int64_t> integer(const ::onnx::NodeProto& node, std::string_view name,
                             std::int64_t standard) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() != name) continue;
    if (attribute.type() == ::onnx::AttributeProto::INT) return attribute.i();
    return refused(fmt::format("attribute {} is no integer", name));
  }
  return standard;
}

Status only(const ::onnx::NodeProto& node, std::initializer_list<std::string_view> names) {
  for (const auto& attribute : node.attribute()) {
    if (std::find(names.begin(), names.end(), attribute.name()) == names.end())
      return refused(fmt::format("attribute {} is not interpreted", printable(attribute.name())));
  }
  return Done{};
}

// ---- what reads nothing but a shape

Result<Known> size_of(const ::onnx::NodeProto& node, int, const Shape& shape) {
  if (auto known = only(node, {}); !known) return std::move(known).error();
  return Known{DType::Int64, {{}, {count(shape)}}};
}

Result<Known> shape_of(const ::onnx::NodeProto& node, int opset, const Shape& shape) {
  constexpr int kCutsSince = 15;
  auto known = opset < kCutsSince ? only(node, {}) : only(node, {"start", "end"});
  if (!known) return std::move(known).error();
  const Dim rank = static_cast<Dim>(shape.size());
  const auto start = integer(node, "start", 0);
  if (!start) return start.error();
  const auto end = integer(node, "end", rank);
  if (!end) return end.error();
  const auto place = [&](Dim at) { return std::clamp<Dim>(at < 0 ? at + rank : at, 0, rank); };
  const Dim first = place(*start);
  const Dim last = std::max(first, place(*end));
  std::vector<std::int64_t> extents(shape.begin() + first, shape.begin() + last);
  return Known{DType::Int64, {{last - first}, std::move(extents)}};
}

// ---- what reads integers

// By any table: the operator of ours reads it in a bounded number of pieces.
Result<Known> gather(const Node& node) {
  if (auto known = only(node.proto, {"axis"}); !known) return std::move(known).error();
  const auto& data = node.operands[0].value;
  const auto& indices = node.operands[1];
  const auto given = integer(node.proto, "axis", 0);
  if (!given) return given.error();
  const Dim rank = static_cast<Dim>(data.shape.size());
  if (*given < -rank || *given >= rank) return refused(fmt::format("no axis {}", *given));
  if (indices.dtype == DType::Bool) return refused("indices that are no integers");
  const auto a = static_cast<std::size_t>(*given < 0 ? *given + rank : *given);
  const Dim extent = data.shape[a];
  for (const auto i : indices.value.values) {
    if (i < -extent || i >= extent) return refused(fmt::format("no element {} of {}", i, extent));
  }
  const Shape& inner = indices.value.shape;
  Shape out(data.shape.begin(), data.shape.begin() + static_cast<Dim>(a));
  out.insert(out.end(), inner.begin(), inner.end());
  out.insert(out.end(), data.shape.begin() + static_cast<Dim>(a) + 1, data.shape.end());
  if (!checked_volume(out, kMostElements)) return refused("too large for shape arithmetic");
  std::vector<IndexExpr> which;
  for (std::size_t i = 0; i < inner.size(); ++i) which.push_back(v(a + i));
  std::vector<IndexExpr> from(data.shape.size(), IndexExpr(0));
  for (std::size_t i = 0; i < a; ++i) from[i] = v(i);
  for (std::size_t i = a + 1; i < from.size(); ++i) from[i] = v(i + inner.size() - 1);
  Known result{node.operands[0].dtype, {out, {}}};
  for_each_index({}, out, [&](std::span<const Dim> o) {
    const Dim i = indices.value.at(which, o);
    from[a] = IndexExpr(i < 0 ? i + extent : i);
    result.value.values.push_back(data.at(from, o));
  });
  return result;
}

Result<Known> cast(const Node& node) {
  if (auto known = only(node.proto, {"to", "saturate", "round_mode"}); !known)
    return std::move(known).error();
  const auto to = integer(node.proto, "to", 0);
  if (!to) return to.error();
  const auto dtype = dtype_from(static_cast<int>(std::clamp<std::int64_t>(*to, 0, 1000)));
  Known out = node.operands[0];
  out.dtype = dtype.value_or(DType::Undefined);
  if (out.dtype == DType::Bool) {
    for (auto& x : out.value.values) x = x != 0 ? 1 : 0;
  }
  if (!fits(out)) return refused(fmt::format("no type {} holds the values", *to));
  return out;
}

Result<Known> constant_of_shape(const Node& node) {
  if (auto known = only(node.proto, {"value"}); !known) return std::move(known).error();
  if (node.proto.attribute_size() != 1 || !node.proto.attribute(0).has_t())
    return refused("filled with floats");
  const auto tensor = read_tensor(node.proto.attribute(0).t(), node.file);
  if (!tensor) return tensor.error();
  const auto value = known_from(**tensor);
  if (!value || value->value.values.size() != 1) return refused("filled with no single integer");
  const Shape& shape = node.operands[0].value.values;
  const auto elements = checked_volume(shape, kMostElements);
  if (shape.size() > kMaxRank || !elements || node.operands[0].dtype != DType::Int64 ||
      node.operands[0].value.shape.size() != 1) {
    return refused(fmt::format("shape {}", to_string(shape)));
  }
  return Known{value->dtype,
               {shape, std::vector(static_cast<std::size_t>(*elements), value->value.values[0])}};
}

Result<Known> range(const Node& node) {
  if (auto known = only(node.proto, {}); !known) return std::move(known).error();
  for (const Known& operand : node.operands) {
    if (operand.value.values.size() != 1 || operand.dtype != node.operands[0].dtype ||
        operand.dtype == DType::Bool) {
      return refused("a range between no single integers");
    }
  }
  // Far from overflow, and far beyond what a range of that many elements needs.
  constexpr std::int64_t kFar = std::int64_t{1} << 50;
  const auto start = node.operands[0].value.values[0];
  const auto limit = node.operands[1].value.values[0];
  const auto delta = node.operands[2].value.values[0];
  for (const auto x : {start, limit, delta}) {
    if (x < -kFar || x > kFar) return refused("a range of enormous numbers");
  }
  if (delta == 0) return refused("a range by steps of 0");
  const Dim span = delta > 0 ? limit - start : start - limit;
  const Dim step = delta > 0 ? delta : -delta;
  const Dim number = span <= 0 ? 0 : (span - 1) / step + 1;
  if (number > kMostElements) return refused("too large for shape arithmetic");
  Known out{node.operands[0].dtype, {{number}, {}}};
  for (Dim i = 0; i < number; ++i) out.value.values.push_back(start + i * delta);
  return out;
}

struct ReaderOfShapes {
  Result<Known> (*compute)(const ::onnx::NodeProto&, int opset, const Shape&);
};
struct ReaderOfIntegers {
  std::size_t operands;
  Result<Known> (*compute)(const Node&);
};

const std::map<std::string_view, ReaderOfShapes> kReadersOfShapes = {{"Shape", {shape_of}},
                                                                     {"Size", {size_of}}};
const std::map<std::string_view, ReaderOfIntegers> kReadersOfIntegers = {
    {"Cast", {1, cast}},
    {"ConstantOfShape", {1, constant_of_shape}},
    {"Gather", {2, gather}},
    {"Range", {3, range}}};

// Integers of one type are computed with; truth values only as the definition says.
Result<DType> type_on_integers(const Op& op, const std::vector<TensorType>& operands) {
  if (operands.empty()) return refused("another number of operands");
  const DType first = operands.front().dtype;
  const bool alike = std::ranges::all_of(operands, [&](const auto& t) { return t.dtype == first; });
  if (op.def->element_type == nullptr && alike && first != DType::Bool) return first;
  if (op.def->element_type == nullptr && !alike) return refused("operands of different types");
  const auto inferred = infer(op, operands, {});
  if (!inferred) return refused("arithmetic on bools");
  return inferred->type.dtype;
}

// An operator of ours by its definition.
Result<Constants> by_definition(const OpDef& def, const OnnxCall& call,
                                const std::vector<std::optional<Known>>& known) {
  const auto imported = import_call(def, call);
  if (!imported) return imported.error();
  Constants out;
  for (const OnnxImported& one : *imported) {
    std::vector<Integers> operands;
    std::vector<TensorType> types;
    for (const OnnxSource& source : one.operands) {
      const auto* place = std::get_if<std::size_t>(&source);
      if (place == nullptr || *place >= known.size() || !known[*place])
        return refused("not interpreted on integers");
      const Known& operand = *known[*place];
      types.push_back({operand.dtype, operand.value.shape});
      operands.push_back(operand.value);
    }
    const auto dtype = type_on_integers(one.op, types);
    if (!dtype) return dtype.error();
    auto value = evaluate_integers(one.op, operands);
    if (!value) return std::move(value).error();
    auto tensor = tensor_of({*dtype, *std::move(value)});
    if (!tensor) return std::move(tensor).error();
    out.push_back(*std::move(tensor));
  }
  return out;
}

// The operands' values; nullopt if one that is there is no small integer constant, or none is.
std::optional<std::vector<std::optional<Known>>> known_operands(const Operands& operands,
                                                                const GraphBuilder& graph) {
  std::vector<std::optional<Known>> out;
  bool any = false;
  for (const auto& id : operands) {
    out.emplace_back();
    if (!id) continue;
    const Tensor* tensor = graph.node(*id).constant();
    if (tensor == nullptr) return std::nullopt;
    out.back() = known_from(*tensor);
    if (!out.back()) return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return out;
}

Result<Known> from_shape(const ReaderOfShapes& reader, const ::onnx::NodeProto& proto, int opset,
                         const Operands& operands, const GraphBuilder& graph) {
  if (operands.size() != 1 || !operands[0] || proto.output_size() != 1)
    return refused("another number of operands or results");
  const auto& shape = graph.type(*operands[0]).shape;
  if (!shape) return refused("the shape of its operand is unknown");
  return reader.compute(proto, opset, *shape);
}

Result<Known> from_integers(const ReaderOfIntegers& reader, const ::onnx::NodeProto& proto,
                            int opset, const std::vector<std::optional<Known>>& known,
                            const std::shared_ptr<const ParsedFile>& file) {
  std::vector<Known> values;
  for (const auto& value : known) {
    if (value) values.push_back(*value);
  }
  if (values.size() != reader.operands || known.size() != values.size() || proto.output_size() != 1)
    return refused("another number of operands or results");
  return reader.compute({proto, opset, values, file});
}

}  // namespace

Result<std::optional<Constants>> shape_arithmetic(const ::onnx::NodeProto& node, int opset,
                                                  const Operands& operands,
                                                  const GraphBuilder& graph,
                                                  const std::shared_ptr<const ParsedFile>& file) {
  const auto one = [&](Result<Known> value) -> Result<std::optional<Constants>> {
    if (!value) return std::move(value).error().within(node.op_type());
    auto tensor = tensor_of(*value);
    if (!tensor) return std::move(tensor).error().within(node.op_type());
    return std::optional(Constants{*std::move(tensor)});
  };
  if (const auto it = kReadersOfShapes.find(node.op_type()); it != kReadersOfShapes.end())
    return one(from_shape(it->second, node, opset, operands, graph));
  const auto known = known_operands(operands, graph);
  if (!known) return std::optional<Constants>{};
  if (const auto it = kReadersOfIntegers.find(node.op_type()); it != kReadersOfIntegers.end())
    return one(from_integers(it->second, node, opset, *known, file));
  const OpDef* def = ops::find(node.op_type());
  if (def == nullptr) return std::optional<Constants>{};
  const auto call = make_call(node, opset, operands, graph);
  if (!call) return call.error();
  auto values = by_definition(*def, *call, *known);
  if (!values) return std::move(values).error().within(node.op_type());
  if (values->size() < call->num_outputs) return refused("another number of results");
  return std::optional(*std::move(values));
}

bool reads_shapes(const ::onnx::NodeProto& node) {
  return kReadersOfShapes.contains(node.op_type());
}

std::optional<int> larger_degree(const std::optional<int>& a, const std::optional<int>& b) {
  if (!a || !b) return std::nullopt;
  return std::max(*a, *b);
}

namespace {

// By the operator's meaning over the numbers: sums and products of them, at fixed places.
std::optional<int> degree_by_definition(const OpDef& def, const OnnxCall& call,
                                        std::span<const std::optional<int>> degrees) {
  const auto imported = import_call(def, call);
  if (!imported || def.on_integers != nullptr) return std::nullopt;
  std::vector<char> is_operand(degrees.size(), 0);
  int out = 0;
  for (const OnnxImported& one : *imported) {
    std::vector<TensorType> types;
    std::vector<int> of;
    for (const OnnxSource& source : one.operands) {
      const auto* place = std::get_if<std::size_t>(&source);
      if (place == nullptr || *place >= degrees.size() || !degrees[*place]) return std::nullopt;
      is_operand[*place] = 1;
      of.push_back(*degrees[*place]);
      types.push_back(float_tensor(call.operands[*place].shape.all()));
    }
    const auto inferred = infer(one.op, types, {});
    if (!inferred || !inferred->meaning.applications.empty()) return std::nullopt;
    for (const Term& term : inferred->meaning.sum.terms) {
      int degree = 0;
      for (const Access& factor : term.factors)
        degree += of[static_cast<std::size_t>(factor.operand)];
      out = std::max(out, degree);
    }
  }
  for (std::size_t i = 0; i < degrees.size(); ++i) {  // it chose the places, or the extents
    if (is_operand[i] == 0 && degrees[i] != 0) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<int> degree_of(const ::onnx::NodeProto& node, int opset, const Operands& operands,
                             const GraphBuilder& graph,
                             std::span<const std::optional<int>> degrees) {
  if (reads_shapes(node)) return 1;
  std::optional<int> all = 0;
  for (const auto& degree : degrees) all = larger_degree(all, degree);
  if (!all || *all == 0) return all;
  if (node.op_type() == "Gather") return degrees[1] == 0 ? degrees[0] : std::nullopt;
  if (node.op_type() == "Cast") {  // what its type does not hold is no constant
    const auto to = integer(node, "to", 0);
    return to && *to != static_cast<int>(DType::Bool) ? all : std::nullopt;
  }
  if (kReadersOfIntegers.contains(node.op_type())) return std::nullopt;
  const OpDef* def = ops::find(node.op_type());
  const auto call = make_call(node, opset, operands, graph);
  if (def == nullptr || !call) return std::nullopt;
  return degree_by_definition(*def, *call, degrees);
}

}  // namespace pet::onnx_io
