#include "core/program/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/program/point_reader.h"

namespace pet {
namespace {

// A fraction of a second; a mutant that needs more is not judged here.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 23;

Dim random_index(Dim extent, Rng& rng) {
  return static_cast<Dim>(rng.below(static_cast<std::uint64_t>(extent)));
}

Dim border(Dim extent, Rng& rng) { return rng.below(2) == 0 ? 0 : extent - 1; }

enum class Stratum { Corner, Border, Interior };

Dim random_position(const Shape& shape, Stratum stratum, Rng& rng) {
  const std::size_t on_border =
      shape.empty() ? 0 : static_cast<std::size_t>(rng.below(shape.size()));
  Dim flat = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const bool outer = stratum == Stratum::Corner || (stratum == Stratum::Border && a == on_border);
    flat = flat * shape[a] + (outer ? border(shape[a], rng) : random_index(shape[a], rng));
  }
  return flat;
}

}  // namespace

std::vector<Dim> stratified_positions(const Shape& shape, Rng& rng, std::size_t positions) {
  const auto size = static_cast<std::size_t>(count(shape));
  std::set<Dim> chosen;
  if (size <= positions) {
    for (std::size_t i = 0; i < size; ++i) chosen.insert(static_cast<Dim>(i));
    return {chosen.begin(), chosen.end()};
  }
  for (std::size_t i = 0; i < positions / 4; ++i)
    chosen.insert(random_position(shape, Stratum::Corner, rng));
  for (std::size_t i = 0; i < positions / 4; ++i)
    chosen.insert(random_position(shape, Stratum::Border, rng));
  while (chosen.size() < positions) chosen.insert(random_position(shape, Stratum::Interior, rng));
  return {chosen.begin(), chosen.end()};
}

struct Fingerprinter::Memory {
  struct Value {
    std::size_t output = 0;
    Dim position = 0;
    std::uint32_t value = 0;
  };

  Memory(const Graph& program, std::uint64_t seed) : rng(seed), drawn(program, rng) {}

  Rng rng;
  DrawnLeaves drawn;
  std::vector<Value> values;
  std::optional<Error> error;  // the original cannot be evaluated at single points
};

Fingerprinter::Fingerprinter(const Graph& original, std::uint64_t seed, std::size_t positions)
    : memory_(std::make_unique<Memory>(original, seed)) {
  PointReader reader(memory_->drawn, memory_->drawn.original, kMostSteps);
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    const Shape& shape = *original.node(original.outputs()[i]).type.shape;
    std::vector<Dim> where = stratified_positions(shape, memory_->rng, positions);
    // Sorted by flat position: those in the middle of the list are rarely at a border.
    std::rotate(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(where.size() / 2),
                where.end());
    for (const Dim position : where) {
      auto value = reader.value(i, position);
      if (!value) {
        memory_->error = std::move(value).error();
        return;
      }
      memory_->values.push_back({i, position, *value});
    }
  }
}

Fingerprinter::~Fingerprinter() = default;

Status Fingerprinter::is_comparable(const Graph& mutant) const {
  if (memory_->error) return *memory_->error;
  const auto& original = memory_->drawn.original;
  if (original.outputs().size() != mutant.outputs().size())
    return Error{"the programs have different numbers of outputs"};
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    if (original.node(original.outputs()[i]).type != mutant.node(mutant.outputs()[i]).type)
      return Error{fmt::format("output {} has another type", i)};
  }
  return Done{};
}

Result<Fingerprinter::Look> Fingerprinter::look(const Graph& mutant) const {
  if (auto status = is_comparable(mutant); !status) return std::move(status).error();
  PointReader reader(memory_->drawn, mutant, kMostSteps);
  Look out;
  for (const Memory::Value& wanted : memory_->values) {
    const auto value = reader.value(wanted.output, wanted.position);
    if (!value) return value.error();
    ++out.tested;
    out.agrees = *value == wanted.value;
    if (out.agrees) break;
  }
  return out;
}

Result<Fingerprint> Fingerprinter::compare(const Graph& mutant) const {
  if (auto status = is_comparable(mutant); !status) return std::move(status).error();
  PointReader reader(memory_->drawn, mutant, kMostSteps);
  Fingerprint out;
  for (const Memory::Value& wanted : memory_->values) {
    const auto value = reader.value(wanted.output, wanted.position);
    if (!value) return value.error();
    ++out.positions;
    if (*value == wanted.value) ++out.agree;
  }
  return out;
}

}  // namespace pet
