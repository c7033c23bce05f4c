#include "datasets/models/weights.h"

#include "core/util/digest.h"
#include "core/util/rng.h"

namespace pet::datasets {
namespace {

Rng stream_of(std::uint64_t seed, const std::string& name) {
  const Digest key = Digester("datasets/models weights").add(seed).add(name).finish();
  std::uint64_t state = 0;
  for (std::size_t i = 0; i < 8; ++i) state |= std::uint64_t{key.bytes[i]} << (8 * i);
  return Rng(state);
}

}  // namespace

std::vector<float> Weights::normal(const std::string& name, std::size_t count,
                                   double deviation) const {
  Rng rng = stream_of(seed_, name);
  std::vector<float> data(count);
  for (float& x : data) x = static_cast<float>(deviation * rng.normal());
  return data;
}

std::vector<float> Weights::uniform(const std::string& name, std::size_t count, double low,
                                    double high) const {
  Rng rng = stream_of(seed_, name);
  std::vector<float> data(count);
  for (float& x : data) x = static_cast<float>(low + (high - low) * rng.uniform());
  return data;
}

}  // namespace pet::datasets
