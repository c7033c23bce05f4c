#include "core/program/fingerprint.h"

#include <fmt/format.h>

#include <set>

#include "core/eval/point_eval.h"

namespace pet {
namespace {

// One to two seconds of work; a mutant that needs more is not judged here.
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

Digest random_digest(Rng& rng) {
  return Digester("fingerprint").add(rng.next()).add(rng.next()).finish();
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

Result<Fingerprint> fingerprint(const Graph& original, const Graph& mutant, Rng& rng,
                                std::size_t positions) {
  if (original.outputs().size() != mutant.outputs().size())
    return Error{"the programs have different numbers of outputs"};
  KeyStream keys(random_digest(rng), 0);
  const PrimeField field = draw_primes(keys, 1).front();
  const Digest secret = random_digest(rng);
  const Leaves leaves = random_leaves(field, secret, original);
  PointEvaluator left(original, field, leaves, secret, kMostSteps);
  PointEvaluator right(mutant, field, leaves, secret, kMostSteps);
  Fingerprint result;
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    const TensorType& type = original.node(original.outputs()[i]).type;
    if (!type.shape || type != mutant.node(mutant.outputs()[i]).type) {
      return Error{fmt::format("output {} has another type, or its shape is unknown", i)};
    }
    for (const Dim position : stratified_positions(*type.shape, rng, positions)) {
      const auto a = left.value(original.outputs()[i], position);
      if (!a) return a.error();
      const auto b = right.value(mutant.outputs()[i], position);
      if (!b) return b.error();
      ++result.positions;
      if (*a == *b) ++result.agree;
    }
  }
  return result;
}

}  // namespace pet
