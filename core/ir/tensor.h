// A constant tensor: type and bytes, shared and never changed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/ir/type.h"
#include "core/util/digest.h"

namespace pet {

class Tensor {
 public:
  // REQUIRES: type.shape is set and bytes holds exactly its elements, little-endian; `owner` keeps
  // the bytes alive.
  Tensor(TensorType type, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
  static Tensor of_floats(Shape shape, std::vector<float> values);
  static Tensor of_ints(Shape shape, std::vector<std::int64_t> values);
  // A tensor whose elements are no plain bytes (strings, 4-bit types): only its digest is known.
  static Tensor opaque(TensorType type, const Digest& content);

  const TensorType& type() const { return type_; }
  const Shape& shape() const { return *type_.shape; }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<const float> floats() const;       // REQUIRES: dtype is Float
  std::span<const std::int64_t> ints() const;  // REQUIRES: dtype is Int64
  // No NaN, no infinity. REQUIRES: dtype is Float
  bool all_finite() const;
  const Digest& digest() const { return digest_; }  // type, shape and bits

 private:
  TensorType type_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  Digest digest_;
  bool all_finite_ = false;
};

// Of floats of any width, by their bits; whatever else is stored is finite.
Finiteness finiteness_of(DType dtype, std::span<const std::byte> bytes);
Finiteness finiteness_of(const Tensor& tensor);

// All elements, row-major. REQUIRES: they are numbers (are_numbers)
std::vector<double> numbers_of(const Tensor& tensor);

}  // namespace pet
