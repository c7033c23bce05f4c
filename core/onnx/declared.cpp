#include "core/onnx/declared.h"

#include <fmt/format.h>

#include "core/util/printable.h"

namespace pet::onnx_io {

Result<Declared> declared_type(const ::onnx::ValueInfoProto& value) {
  Declared out;
  if (!value.type().has_tensor_type()) {
    out.other = value.type().SerializeAsString();
    return out;
  }
  const auto& type = value.type().tensor_type();
  if (type.elem_type() != 0) {
    const auto dtype = dtype_from(type.elem_type());
    if (!dtype)
      return Error{fmt::format("unknown element type {}", type.elem_type()),
                   ErrorKind::Unsupported};
    out.dtype = *dtype;
  }
  if (!type.has_shape()) return out;
  if (static_cast<std::size_t>(type.shape().dim_size()) > kMaxRank) {
    return Error{fmt::format("rank {} is too high", type.shape().dim_size()),
                 ErrorKind::Unsupported};
  }
  Shape shape;
  Shape known;
  for (const auto& dim : type.shape().dim()) {
    if (dim.has_dim_value()) {
      if (dim.dim_value() < 0) return Error{fmt::format("a negative extent {}", dim.dim_value())};
      known.push_back(dim.dim_value());
      shape.push_back(dim.dim_value());
      continue;
    }
    const bool named = dim.has_dim_param() && !dim.dim_param().empty();
    out.open.push_back({shape.size(),
                        named ? dim.dim_param() : fmt::format("{}:{}", value.name(), shape.size()),
                        named});
    shape.push_back(-1);
  }
  if (!checked_count(known))
    return Error{fmt::format("extents {} are too large", to_string(known))};
  out.shape = std::move(shape);
  return out;
}

std::optional<std::string> contradiction(const Declared& declared, const TensorType& inferred) {
  const auto against = [&](const std::string& what) {
    return fmt::format("{}, but it is {}", what, to_string(inferred));
  };
  if (!declared.other.empty()) return against("declared to be no tensor");
  if (declared.dtype != DType::Undefined && declared.dtype != inferred.dtype) {
    return against(fmt::format("declared as {}", to_string(declared.dtype)));
  }
  if (!declared.shape || !inferred.shape) return std::nullopt;
  bool fits = declared.shape->size() == inferred.shape->size();
  for (std::size_t i = 0; fits && i < declared.shape->size(); ++i) {
    fits = (*declared.shape)[i] == -1 || (*declared.shape)[i] == (*inferred.shape)[i];
  }
  if (fits) return std::nullopt;
  return against(fmt::format("declared with extents {}", to_string(*declared.shape)));
}

Result<std::vector<std::string>> stale_declarations(const ::onnx::GraphProto& graph,
                                                    const std::map<std::string, NodeId>& values,
                                                    const GraphBuilder& builder) {
  std::vector<std::string> out;
  for (const auto* list : {&graph.value_info(), &graph.output()}) {
    for (const auto& value : *list) {
      const auto it = values.find(value.name());
      if (it == values.end()) continue;
      const auto where = fmt::format("value '{}'", printable(value.name()));
      auto declared = declared_type(value);
      if (!declared) return Error(declared.error()).within(where);
      const auto& inferred = builder.type(it->second);
      if (!inferred.shape || !value.has_type()) continue;
      const auto why = contradiction(*declared, inferred);
      if (!why) continue;
      declared->shape.reset();
      if (contradiction(*declared, inferred)) return Error{fmt::format("{}: {}", where, *why)};
      out.push_back(fmt::format("{}: {}", where, *why));
    }
  }
  return out;
}

}  // namespace pet::onnx_io
