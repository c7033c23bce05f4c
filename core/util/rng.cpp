#include "core/util/rng.h"

#include <sodium.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/util/check.h"
#include "core/util/sodium.h"

namespace pet {

std::uint64_t Rng::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t Rng::below(std::uint64_t bound) {
  PET_CHECK(bound > 0, "below() needs a positive bound");
  const std::uint64_t limit = bound * (UINT64_MAX / bound);
  for (;;) {
    const std::uint64_t x = next();
    if (x < limit) return x % bound;
  }
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
  PET_CHECK(low <= high, "between() needs low <= high");
  return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Rng::normal() {  // Box-Muller; one of the two values is enough here
  const double u = 1.0 - uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * uniform());
}

void KeyStream::fill(std::span<std::uint64_t> words) {
  if (words.empty()) return;
  initialise_sodium();
  std::array<unsigned char, 8> nonce{};
  std::memcpy(nonce.data(), &number_, 8);
  auto* bytes = reinterpret_cast<unsigned char*>(words.data());
  std::memset(bytes, 0, words.size_bytes());
  crypto_stream_chacha20_xor_ic(bytes, bytes, words.size_bytes(), nonce.data(), block_,
                                key_.bytes.data());
  block_ += (words.size_bytes() + 63) / 64;
}

Digest fresh_entropy() {
  initialise_sodium();
  Digest out;
  randombytes_buf(out.bytes.data(), out.bytes.size());
  return out;
}

}  // namespace pet
