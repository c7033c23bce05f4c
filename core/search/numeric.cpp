#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/search/acceptance.h"
#include "core/util/rng.h"

namespace pet {
namespace {

template <class T>
Tensor made(const TensorType& type, const std::function<T()>& draw) {
  auto data = std::make_shared<std::vector<T>>(static_cast<std::size_t>(count(*type.shape)));
  for (T& x : *data) x = draw();
  return Tensor(type, std::as_bytes(std::span(std::as_const(*data))), data);
}

// Standard normal numbers; integers and bools 0 or 1, which every index and mask admits.
Result<Tensor> drawn(const ModelInput& input, Rng& rng) {
  const TensorType& type = input.type;
  if (!type.shape)
    return Error{fmt::format("input {} has no shape to draw numbers for", input.name),
                 ErrorKind::Unsupported};
  switch (type.dtype) {
    case DType::Float:
      return made<float>(type, [&] { return static_cast<float>(rng.normal()); });
    case DType::Double:
      return made<double>(type, [&] { return rng.normal(); });
    case DType::Int64:
      return made<std::int64_t>(type, [&] { return static_cast<std::int64_t>(rng.below(2)); });
    case DType::Int32:
      return made<std::int32_t>(type, [&] { return static_cast<std::int32_t>(rng.below(2)); });
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
      return made<std::uint8_t>(type, [&] { return static_cast<std::uint8_t>(rng.below(2)); });
    case DType::Undefined:
    case DType::UInt16:
    case DType::Int16:
    case DType::String:
    case DType::Float16:
    case DType::UInt32:
    case DType::UInt64:
    case DType::Complex64:
    case DType::Complex128:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2:
    case DType::Float8E5M2FNUZ:
    case DType::UInt4:
    case DType::Int4:
    case DType::Float4E2M1:
      break;
  }
  return Error{fmt::format("no random numbers are drawn for input {} of type {}", input.name,
                           to_string(type)),
               ErrorKind::Unsupported};
}

struct Largest {
  double value = 0;
  double difference = 0;
  double relative() const {
    return difference == 0 ? 0 : value == 0 ? INFINITY : difference / value;
  }
};

Status compare_floats(const NamedTensor& a, const NamedTensor& b, NumericDifference& out) {
  const Shape& shape = a.tensor.shape();
  const auto x = a.tensor.floats();
  const auto y = b.tensor.floats();
  const bool has_channels = shape.size() >= 2 && shape[1] > 0;
  std::size_t inner = 1;
  for (std::size_t i = 2; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  std::vector<Largest> channels(has_channels ? static_cast<std::size_t>(shape[1]) : 1);
  Largest all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(y[i]))
      return Error{fmt::format("output {} holds a NaN", a.name), ErrorKind::Tool};
    const double difference =
        x[i] == y[i] ? 0 : std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
    for (Largest* l : {&all, &channels[has_channels ? i / inner % channels.size() : 0]}) {
      l->value = std::max(l->value, std::abs(static_cast<double>(x[i])));
      l->difference = std::max(l->difference, difference);
    }
  }
  out.max_abs = std::max(out.max_abs, all.difference);
  out.max_rel = std::max(out.max_rel, all.relative());
  for (const Largest& l : channels)
    out.max_rel_of_channel = std::max(out.max_rel_of_channel, l.relative());
  return Done{};
}

}  // namespace

Result<NumericDifference> numeric_difference(const Model& original,
                                             const std::filesystem::path& changed,
                                             const AcceptanceConfig& config, Backend& backend,
                                             std::stop_token stop) {
  const auto a = backend.load(original.path, config.load, stop);
  if (!a) return a.error();
  const auto b = backend.load(changed, config.load, stop);
  if (!b) {
    backend.unload(a->id);
    return b.error();
  }
  const auto run = [&]() -> Result<NumericDifference> {
    NumericDifference out;
    Rng rng(config.seed);
    for (int sample = 0; sample < config.samples; ++sample) {
      std::vector<NamedTensor> inputs;
      for (const ModelInput& input : original.inputs) {
        if (input.standard != nullptr) continue;
        auto tensor = drawn(input, rng);
        if (!tensor) return std::move(tensor).error();
        inputs.push_back({input.name, *std::move(tensor)});
      }
      const auto x = backend.run(a->id, inputs, stop);
      if (!x) return x.error();
      const auto y = backend.run(b->id, inputs, stop);
      if (!y) return y.error();
      for (std::size_t i = 0; i < x->size(); ++i) {
        const auto& p = (*x)[i].tensor;
        const auto& q = (*y)[i].tensor;
        if (p.type() != q.type())
          return Error{fmt::format("output {} changed its type", (*x)[i].name), ErrorKind::Tool};
        if (p.type().dtype == DType::Float) {
          if (auto status = compare_floats((*x)[i], (*y)[i], out); !status)
            return std::move(status).error();
        } else if (!std::ranges::equal(p.bytes(), q.bytes())) {
          return Error{fmt::format("output {} differs", (*x)[i].name), ErrorKind::Tool};
        }
      }
    }
    return out;
  };
  auto result = run();
  backend.unload(a->id);
  backend.unload(b->id);
  return result;
}

}  // namespace pet
