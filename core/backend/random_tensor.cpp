#include "core/backend/random_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/util/check.h"

namespace pet {
namespace {

template <class T>
Tensor filled(const TensorType& type, const std::function<T()>& draw) {
  auto data = std::make_shared<std::vector<T>>(static_cast<std::size_t>(count(*type.shape)));
  for (T& x : *data) x = draw();
  return Tensor(type, std::as_bytes(std::span(std::as_const(*data))), data);
}

template <class T>
Tensor floats(const TensorType& type, const ValueRange& range, const Spread& spread, Rng& rng) {
  const bool has_low = std::isfinite(range.low);
  const bool has_high = std::isfinite(range.high);
  return filled<T>(type, [&] {
    if (has_low && has_high)
      return static_cast<T>(range.low + (range.high - range.low) * rng.uniform());
    const double x = spread.scale * rng.normal();
    if (has_low) return static_cast<T>(range.low + std::abs(x));
    if (has_high) return static_cast<T>(range.high - std::abs(x));
    if (spread.sign == Sign::Both) return static_cast<T>(x);
    return static_cast<T>(spread.sign == Sign::Positive ? std::abs(x) : -std::abs(x));
  });
}

template <class T>
Tensor integers(const TensorType& type, const ValueRange& range, Rng& rng) {
  using Limits = std::numeric_limits<T>;
  const bool is_open = !std::isfinite(range.low) || !std::isfinite(range.high);
  const auto low = is_open ? 0 : static_cast<std::int64_t>(std::ceil(range.low));
  auto high = is_open ? 1 : static_cast<std::int64_t>(std::floor(range.high));
  // What an index of few bits cannot reach.
  if constexpr (sizeof(T) < sizeof(std::int64_t))
    high = std::min(high, static_cast<std::int64_t>(Limits::max()));
  return filled<T>(type, [&] { return static_cast<T>(rng.between(low, std::max(low, high))); });
}

}  // namespace

Result<Tensor> random_tensor(const TensorType& type, const ValueRange& range, const Spread& spread,
                             Rng& rng) {
  PET_CHECK(range.low <= range.high, "a range holds something");
  if (!type.shape) return Error{"its shape is not known", ErrorKind::Unsupported};
  switch (type.dtype) {
    case DType::Float:
      return floats<float>(type, range, spread, rng);
    case DType::Double:
      return floats<double>(type, range, spread, rng);
    case DType::Bool:
      return integers<std::uint8_t>(type, {0, 1}, rng);
    case DType::UInt8:
      return integers<std::uint8_t>(type, range, rng);
    case DType::Int8:
      return integers<std::int8_t>(type, range, rng);
    case DType::UInt16:
      return integers<std::uint16_t>(type, range, rng);
    case DType::Int16:
      return integers<std::int16_t>(type, range, rng);
    case DType::UInt32:
      return integers<std::uint32_t>(type, range, rng);
    case DType::Int32:
      return integers<std::int32_t>(type, range, rng);
    case DType::UInt64:
      return integers<std::uint64_t>(type, range, rng);
    case DType::Int64:
      return integers<std::int64_t>(type, range, rng);
    default:
      return Error{fmt::format("no random values are drawn of type {}", to_string(type.dtype)),
                   ErrorKind::Unsupported};
  }
}

}  // namespace pet
