// Element types and tensor types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ir/shape.h"

namespace pet {

// Numbered as in ONNX's TensorProto.DataType.
enum class DType : int {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
};

std::string_view to_string(DType dtype);
std::optional<DType> dtype_from(int onnx_number);
std::size_t bytes_per_element(DType dtype);  // 0 for strings and for types smaller than a byte

// Of integers the least and the largest; nothing of other elements.
struct IntegerRange {
  double least = 0;
  double largest = 0;
};
std::optional<IntegerRange> integer_range(DType dtype);
// Whether meanings speak of such elements: floats, integers of up to 32 bits or signed ones of 64,
// truth values (0 and 1).
bool are_numbers(DType dtype);
// A number made an element of that type, whatever it is: integers towards 0 and without a sign
// where they have none, of truth values whether it is above 0.
double as_element(DType dtype, double x);

// What values are in floats whose own range is no matter: a mask of -inf may be infinite, and what
// is made of it no number at all. In order of what is worse.
enum class Finiteness : char { Finite, MaybeInfinite, MaybeNoNumber };

// A type whose shape is not known belongs to the result of an operator that we do not understand.
struct TensorType {
  DType dtype = DType::Float;
  std::optional<Shape> shape;

  bool operator==(const TensorType&) const = default;
};

inline TensorType float_tensor(Shape shape) { return {DType::Float, std::move(shape)}; }
std::string to_string(const TensorType& type);  // "float[2,3]", "int64[?]"

}  // namespace pet
