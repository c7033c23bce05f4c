#include "core/ir/tensor.h"

#include <algorithm>
#include <cstring>

#include "core/util/check.h"

namespace pet {
namespace {

struct Content {
  Digest digest;
  bool has_infinity_or_nan = false;  // as floats
};

bool has_infinity_or_nan(std::span<const std::byte> floats) {
  // Without a way out, which the compiler makes one comparison of many elements.
  constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
  std::uint32_t largest = 0;
  for (std::size_t at = 0; at < floats.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, floats.data() + at, sizeof(word));
    largest = std::max(largest, word & kMagnitude);
  }
  return largest >= kInfinity;
}

// Both in one walk: the elements of a large tensor are fetched from memory once.
Content content_of(const TensorType& type, std::span<const std::byte> bytes) {
  constexpr std::size_t kBlock = std::size_t{1} << 15;
  Content out;
  Digester digester("tensor");
  digester.add(static_cast<std::uint64_t>(type.dtype))
      .add(static_cast<std::uint64_t>(type.shape->size()));
  for (const Dim extent : *type.shape) digester.add(static_cast<std::uint64_t>(extent));
  digester.add(static_cast<std::uint64_t>(bytes.size()));
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kBlock, bytes.size()))) {
    const auto block = bytes.first(std::min(kBlock, bytes.size()));
    digester.append(block);
    if (type.dtype == DType::Float && !out.has_infinity_or_nan)
      out.has_infinity_or_nan = has_infinity_or_nan(block);
  }
  out.digest = digester.finish();
  return out;
}

template <class T>
Tensor owned(DType dtype, Shape shape, std::vector<T> values) {
  auto data = std::make_shared<const std::vector<T>>(std::move(values));
  return Tensor({dtype, std::move(shape)}, std::as_bytes(std::span(*data)), data);
}

}  // namespace

Tensor::Tensor(TensorType type, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
    : type_(std::move(type)), bytes_(bytes), owner_(std::move(owner)) {
  PET_CHECK(type_.shape.has_value(), "a constant has a shape");
  PET_CHECK(bytes_.size() ==
                static_cast<std::size_t>(count(*type_.shape)) * bytes_per_element(type_.dtype),
            "a constant has as many bytes as its shape says");
  const Content content = content_of(type_, bytes_);
  digest_ = content.digest;
  all_finite_ = type_.dtype == DType::Float && !content.has_infinity_or_nan;
}

Tensor Tensor::of_floats(Shape shape, std::vector<float> values) {
  return owned(DType::Float, std::move(shape), std::move(values));
}

Tensor Tensor::of_ints(Shape shape, std::vector<std::int64_t> values) {
  return owned(DType::Int64, std::move(shape), std::move(values));
}

Tensor Tensor::opaque(TensorType type, const Digest& content) {
  Tensor tensor({DType::UInt8, Shape{0}}, {}, nullptr);
  tensor.type_ = std::move(type);
  tensor.digest_ = content;
  return tensor;
}

std::span<const float> Tensor::floats() const {
  PET_CHECK(type_.dtype == DType::Float, "floats() of another type");
  return {reinterpret_cast<const float*>(bytes_.data()), bytes_.size() / sizeof(float)};
}

std::span<const std::int64_t> Tensor::ints() const {
  PET_CHECK(type_.dtype == DType::Int64, "ints() of another type");
  return {reinterpret_cast<const std::int64_t*>(bytes_.data()),
          bytes_.size() / sizeof(std::int64_t)};
}

bool Tensor::all_finite() const {
  PET_CHECK(type_.dtype == DType::Float, "all_finite() of another type");
  return all_finite_;
}

namespace {

// The largest exponent is that of infinity, and with a fraction of what is no number.
template <class Word>
Finiteness by_exponent(std::span<const std::byte> bytes, Word exponent) {
  const auto fraction = static_cast<Word>((exponent & (~exponent + 1U)) - 1U);
  Finiteness out = Finiteness::Finite;
  for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
    Word word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(Word));
    if ((word & exponent) != exponent) continue;
    if ((word & fraction) != 0) return Finiteness::MaybeNoNumber;
    out = Finiteness::MaybeInfinite;
  }
  return out;
}

template <class T>
std::vector<double> as_numbers(const Tensor& tensor) {
  std::vector<T> elements(tensor.bytes().size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), tensor.bytes().data(), tensor.bytes().size());
  return {elements.begin(), elements.end()};
}

}  // namespace

Finiteness finiteness_of(DType dtype, std::span<const std::byte> bytes) {
  switch (dtype) {
    case DType::Float:
      return by_exponent<std::uint32_t>(bytes, 0x7f800000U);
    case DType::Double:
      return by_exponent<std::uint64_t>(bytes, 0x7ff0000000000000ULL);
    case DType::Float16:
      return by_exponent<std::uint16_t>(bytes, 0x7c00U);
    case DType::BFloat16:
      return by_exponent<std::uint16_t>(bytes, 0x7f80U);
    default:
      return Finiteness::Finite;
  }
}

Finiteness finiteness_of(const Tensor& tensor) {
  const bool is_finite = tensor.type().dtype == DType::Float && tensor.all_finite();
  return is_finite ? Finiteness::Finite : finiteness_of(tensor.type().dtype, tensor.bytes());
}

std::vector<double> numbers_of(const Tensor& tensor) {
  switch (tensor.type().dtype) {
    case DType::Float:
      return {tensor.floats().begin(), tensor.floats().end()};
    case DType::Int64:
      return as_numbers<std::int64_t>(tensor);
    case DType::Int32:
      return as_numbers<std::int32_t>(tensor);
    case DType::UInt32:
      return as_numbers<std::uint32_t>(tensor);
    case DType::Int16:
      return as_numbers<std::int16_t>(tensor);
    case DType::UInt16:
      return as_numbers<std::uint16_t>(tensor);
    case DType::Int8:
      return as_numbers<std::int8_t>(tensor);
    case DType::UInt8:
    case DType::Bool:
      return as_numbers<std::uint8_t>(tensor);
    default:
      PET_CHECK(false, "numbers_of() of what is none");
      return {};
  }
}

}  // namespace pet
