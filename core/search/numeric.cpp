#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/backend/random_tensor.h"
#include "core/search/acceptance.h"
#include "core/util/printable.h"

namespace pet {
namespace {

// One a draw, in turn: what rounds well at one size and sign may not at another.
constexpr std::array<Spread, 8> kSpreads = {{{1, Sign::Both},
                                             {1, Sign::Positive},
                                             {1, Sign::Negative},
                                             {0.1, Sign::Both},
                                             {4, Sign::Both},
                                             {0.01, Sign::Both},
                                             {4, Sign::Positive},
                                             {1, Sign::Both}}};

Result<std::vector<NamedTensor>> drawn(const Model& model,
                                       const std::map<std::string, ValueRange>& ranges,
                                       const Spread& spread, Rng& rng) {
  std::vector<NamedTensor> inputs;
  for (const ModelInput& input : model.inputs) {
    if (input.standard != nullptr) continue;
    const auto range = ranges.find(input.name);
    auto tensor = random_tensor(input.type, range == ranges.end() ? ValueRange{} : range->second,
                                spread, rng);
    if (!tensor) return std::move(tensor).error().within("input " + printable(input.name));
    inputs.push_back({input.name, *std::move(tensor)});
  }
  return inputs;
}

std::vector<NamedTensor> named(const Model& model, const InputSet& set) {
  std::vector<NamedTensor> inputs;
  for (const ModelInput& input : model.inputs)
    if (input.standard == nullptr) inputs.push_back({input.name, set[inputs.size()]});
  return inputs;
}

// What a refusal of the original leaves to guess about.
std::string described(const std::vector<NamedTensor>& inputs) {
  std::string out;
  for (const NamedTensor& input : inputs) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", printable(input.name),
                       to_string(input.tensor.type()));
  }
  return out.empty() ? "no inputs" : out;
}

struct Largest {
  double value = 0;
  double difference = 0;
  double relative() const {
    return difference == 0 ? 0 : value == 0 ? INFINITY : difference / value;
  }
};

Error differs(const NamedTensor& output, std::string_view how) {
  return {fmt::format("output {} {}", printable(output.name), how), ErrorKind::Tool};
}

template <class T>
Status compare_elements(const NamedTensor& a, const NamedTensor& b, NumericDifference& out) {
  const Shape& shape = a.tensor.shape();
  const bool has_channels = shape.size() >= 2 && shape[1] > 0;
  std::size_t inner = 1;
  for (std::size_t i = 2; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  std::vector<Largest> channels(has_channels ? static_cast<std::size_t>(shape[1]) : 1);
  Largest all;
  const auto size = static_cast<std::size_t>(count(shape));
  for (std::size_t i = 0; i < size; ++i) {
    T x{};
    T y{};
    std::memcpy(&x, a.tensor.bytes().data() + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b.tensor.bytes().data() + i * sizeof(T), sizeof(T));
    if (std::isnan(x)) return differs(a, "of the original holds a NaN on random inputs");
    if (std::isnan(y)) return differs(a, "holds a NaN that the original has not");
    if (std::isinf(x) || std::isinf(y)) {
      if (x != y) return differs(a, "is infinite in one of the files only");
      continue;  // no scale for the others to be measured on
    }
    const double difference = std::abs(static_cast<double>(x) - static_cast<double>(y));
    for (Largest* l : {&all, &channels[has_channels ? i / inner % channels.size() : 0]}) {
      l->value = std::max(l->value, std::abs(static_cast<double>(x)));
      l->difference = std::max(l->difference, difference);
    }
  }
  out.max_abs = std::max(out.max_abs, all.difference);
  out.max_rel = std::max(out.max_rel, all.relative());
  for (const Largest& l : channels)
    out.max_rel_of_channel = std::max(out.max_rel_of_channel, l.relative());
  return Done{};
}

Status compare_outputs(const std::vector<NamedTensor>& original,
                       const std::vector<NamedTensor>& changed, NumericDifference& out) {
  if (original.size() != changed.size())
    return Error{"the files have different numbers of outputs", ErrorKind::Tool};
  for (std::size_t i = 0; i < original.size(); ++i) {
    const NamedTensor& a = original[i];
    const NamedTensor& b = changed[i];
    if (a.tensor.type() != b.tensor.type()) return differs(a, "changed its type");
    Status status = Done{};
    if (a.tensor.type().dtype == DType::Float) {
      status = compare_elements<float>(a, b, out);
    } else if (a.tensor.type().dtype == DType::Double) {
      status = compare_elements<double>(a, b, out);
    } else if (!std::ranges::equal(a.tensor.bytes(), b.tensor.bytes())) {
      status = differs(a, "differs");
    }
    if (!status) return status;
  }
  return Done{};
}

}  // namespace

Result<NumericDifference> numeric_difference(const Model& original,
                                             const std::filesystem::path& changed,
                                             const AcceptanceConfig& config, Backend& backend,
                                             std::stop_token stop) {
  const auto ranges = input_ranges(original, config.fill);
  if (!ranges) return ranges.error();
  const auto a = backend.load(original.path, config.load, stop);
  if (!a) return a.error();
  const auto b = backend.load(changed, config.load, stop);
  if (!b) {
    backend.unload(a->id);
    return b.error();
  }
  const auto compare_on = [&](const std::vector<NamedTensor>& inputs, std::string_view kind,
                              NumericDifference& out) -> Status {
    const auto x = backend.run(a->id, inputs, stop);
    if (!x) {
      return Error(x.error()).within(
          fmt::format("the original does not run on {} of {}", kind, described(inputs)));
    }
    const auto y = backend.run(b->id, inputs, stop);
    if (!y) return y.error();
    return compare_outputs(*x, *y, out);
  };
  const auto run = [&]() -> Result<NumericDifference> {
    NumericDifference out;
    for (const InputSet& set : config.data) {
      if (auto done = compare_on(named(original, set), "given values", out); !done)
        return std::move(done).error();
    }
    Rng rng(config.seed);
    for (int sample = 0; sample < config.samples; ++sample) {
      const Spread& spread = kSpreads[static_cast<std::size_t>(sample) % kSpreads.size()];
      const auto inputs = drawn(original, *ranges, spread, rng);
      if (!inputs) return inputs.error();
      if (auto done = compare_on(*inputs, "random values", out); !done)
        return std::move(done).error();
    }
    return out;
  };
  auto result = run();
  backend.unload(a->id);
  backend.unload(b->id);
  return result;
}

}  // namespace pet
