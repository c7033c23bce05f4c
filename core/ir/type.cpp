#include "core/ir/type.h"

#include <array>
#include <cmath>
#include <utility>

namespace pet {
namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 24> kTypes = {{
    {"undefined", 0},      {"float", 4},        {"uint8", 1},          {"int8", 1},
    {"uint16", 2},         {"int16", 2},        {"int32", 4},          {"int64", 8},
    {"string", 0},         {"bool", 1},         {"float16", 2},        {"double", 8},
    {"uint32", 4},         {"uint64", 8},       {"complex64", 8},      {"complex128", 16},
    {"bfloat16", 2},       {"float8e4m3fn", 1}, {"float8e4m3fnuz", 1}, {"float8e5m2", 1},
    {"float8e5m2fnuz", 1}, {"uint4", 0},        {"int4", 0},           {"float4e2m1", 0},
}};

}  // namespace

std::string_view to_string(DType dtype) { return kTypes[static_cast<std::size_t>(dtype)].first; }

std::optional<DType> dtype_from(int onnx_number) {
  if (onnx_number <= 0 || onnx_number >= static_cast<int>(kTypes.size())) return std::nullopt;
  return static_cast<DType>(onnx_number);
}

std::size_t bytes_per_element(DType dtype) {
  return kTypes[static_cast<std::size_t>(dtype)].second;
}

std::optional<IntegerRange> integer_range(DType dtype) {
  switch (dtype) {
    case DType::Int8:
      return IntegerRange{-0x1p7, 0x1p7 - 1};
    case DType::UInt8:
      return IntegerRange{0, 0x1p8 - 1};
    case DType::Int16:
      return IntegerRange{-0x1p15, 0x1p15 - 1};
    case DType::UInt16:
      return IntegerRange{0, 0x1p16 - 1};
    case DType::Int32:
      return IntegerRange{-0x1p31, 0x1p31 - 1};
    case DType::UInt32:
      return IntegerRange{0, 0x1p32 - 1};
    case DType::Int64:
      return IntegerRange{-0x1p63, 0x1.fffffffffffffp62};  // the largest double that is one
    default:
      return std::nullopt;
  }
}

bool are_numbers(DType dtype) {
  return dtype == DType::Float || dtype == DType::Bool || integer_range(dtype).has_value();
}

double as_element(DType dtype, double x) {
  if (dtype == DType::Bool) return x > 0 ? 1 : 0;
  const auto range = integer_range(dtype);
  if (!range) return x;
  return std::trunc(range->least == 0 ? std::abs(x) : x);
}

std::string to_string(const TensorType& type) {
  return std::string(to_string(type.dtype)) + (type.shape ? to_string(*type.shape) : "[?]");
}

}  // namespace pet
