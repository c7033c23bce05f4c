// Tensors of a file: ONNX keeps elements as raw bytes, in one of several typed lists, or in another
// file.
#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <vector>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {
namespace {

Result<TensorType> type_of(const ::onnx::TensorProto& tensor) {
  const auto dtype = dtype_from(tensor.data_type());
  if (!dtype)
    return Error{fmt::format("unknown element type {}", tensor.data_type()),
                 ErrorKind::Unsupported};
  if (static_cast<std::size_t>(tensor.dims_size()) > kMaxRank)
    return Error{"a tensor of too high a rank"};
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  if (!checked_count(shape))
    return Error{fmt::format("extents {} are negative or too large", to_string(shape))};
  return TensorType{*dtype, std::move(shape)};
}

using Bytes = std::vector<std::byte>;

// Elements of a typed list, each narrowed to `To` (bit patterns of 16-bit floats stand in
// int32_data as they are).
template <class To, class List>
Result<Bytes> narrowed(const List& list, std::size_t elements) {
  if (static_cast<std::size_t>(list.size()) != elements) {
    return Error{fmt::format("{} elements where the extents ask for {}", list.size(), elements)};
  }
  Bytes bytes(elements * sizeof(To));
  for (std::size_t i = 0; i < elements; ++i) {
    const auto value = list.Get(static_cast<int>(i));
    const To element = static_cast<To>(value);
    if constexpr (std::numeric_limits<To>::is_integer) {
      if (static_cast<decltype(value)>(element) != value)
        return Error{fmt::format("{} does not fit its type", value)};
    }
    std::memcpy(bytes.data() + i * sizeof(To), &element, sizeof(To));
  }
  return bytes;
}

Result<Bytes> typed_bytes(const ::onnx::TensorProto& tensor, DType dtype, std::size_t elements) {
  switch (dtype) {
    case DType::Float:
      return narrowed<float>(tensor.float_data(), elements);
    case DType::Complex64:
      return narrowed<float>(tensor.float_data(), 2 * elements);
    case DType::Double:
      return narrowed<double>(tensor.double_data(), elements);
    case DType::Complex128:
      return narrowed<double>(tensor.double_data(), 2 * elements);
    case DType::Int64:
      return narrowed<std::int64_t>(tensor.int64_data(), elements);
    case DType::UInt64:
      return narrowed<std::uint64_t>(tensor.uint64_data(), elements);
    case DType::UInt32:
      return narrowed<std::uint32_t>(tensor.uint64_data(), elements);
    case DType::Int32:
      return narrowed<std::int32_t>(tensor.int32_data(), elements);
    case DType::Int16:
      return narrowed<std::int16_t>(tensor.int32_data(), elements);
    case DType::Int8:
      return narrowed<std::int8_t>(tensor.int32_data(), elements);
    case DType::UInt16:
    case DType::Float16:
    case DType::BFloat16:
      return narrowed<std::uint16_t>(tensor.int32_data(), elements);
    case DType::UInt8:
    case DType::Bool:
    case DType::Float8E4M3FN:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2:
    case DType::Float8E5M2FNUZ:
      return narrowed<std::uint8_t>(tensor.int32_data(), elements);
    case DType::Undefined:
    case DType::String:
    case DType::UInt4:
    case DType::Int4:
    case DType::Float4E2M1:
      break;
  }
  return Error{"elements of that type are no plain bytes", ErrorKind::Unsupported};
}

bool has_typed_list(const ::onnx::TensorProto& t) {
  return t.float_data_size() + t.int32_data_size() + t.int64_data_size() + t.double_data_size() +
             t.uint64_data_size() + t.string_data_size() >
         0;
}

Digest opaque_content(const ::onnx::TensorProto& tensor, const ParsedFile& file) {
  ::onnx::TensorProto plain = tensor;
  plain.clear_name();
  plain.clear_doc_string();
  plain.clear_external_data();
  Digester digester("opaque tensor");
  digester.add(plain.SerializeAsString());
  if (const auto it = file.outside.find(&tensor); it != file.outside.end())
    digester.add(it->second);
  return digester.finish();
}

}  // namespace

Result<std::size_t> byte_size(const ::onnx::TensorProto& tensor) {
  const auto type = type_of(tensor);
  if (!type) return type.error();
  const auto elements = static_cast<std::size_t>(count(*type->shape));
  switch (type->dtype) {
    case DType::UInt4:
    case DType::Int4:
    case DType::Float4E2M1:
      return (elements + 1) / 2;
    case DType::String:
      return Error{"strings cannot be stored outside the file"};
    default:
      return elements * bytes_per_element(type->dtype);
  }
}

Result<std::shared_ptr<const Tensor>> read_tensor(const ::onnx::TensorProto& tensor,
                                                  const std::shared_ptr<const ParsedFile>& file) {
  auto type = type_of(tensor);
  if (!type) return std::move(type).error();
  if (tensor.has_segment()) return Error{"a tensor in segments", ErrorKind::Unsupported};
  const std::size_t width = bytes_per_element(type->dtype);
  if (width == 0) {
    return std::make_shared<const Tensor>(Tensor::opaque(*type, opaque_content(tensor, *file)));
  }
  const auto elements = static_cast<std::size_t>(count(*type->shape));
  std::span<const std::byte> stored;
  if (is_external(tensor)) {
    stored = file->outside.at(&tensor);
  } else if (tensor.has_raw_data()) {
    if (has_typed_list(tensor)) return Error{"elements stated twice"};
    stored = std::as_bytes(std::span(tensor.raw_data()));
  } else {
    auto bytes = typed_bytes(tensor, type->dtype, elements);
    if (!bytes) return std::move(bytes).error();
    auto owned = std::make_shared<const Bytes>(*std::move(bytes));
    return std::make_shared<const Tensor>(*std::move(type), std::span(*owned), owned);
  }
  if (stored.size() != elements * width) {
    return Error{
        fmt::format("{} bytes where the type asks for {}", stored.size(), elements * width)};
  }
  if (reinterpret_cast<std::uintptr_t>(stored.data()) % width != 0) {
    auto owned = std::make_shared<const Bytes>(stored.begin(), stored.end());
    return std::make_shared<const Tensor>(*std::move(type), std::span(*owned), owned);
  }
  return std::make_shared<const Tensor>(*std::move(type), stored, file);
}

void fill_tensor(::onnx::TensorProto& to, const Tensor& from, const std::string& name) {
  to.set_name(name);
  to.set_data_type(static_cast<int>(from.type().dtype));
  for (const Dim extent : from.shape()) to.add_dims(extent);
  to.set_raw_data(from.bytes().data(), from.bytes().size());
}

}  // namespace pet::onnx_io
