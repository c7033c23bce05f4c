#include "core/util/digest.h"

#include <sodium.h>

#include "core/util/check.h"
#include "core/util/sodium.h"

namespace pet {
namespace {

crypto_generichash_state* as_state(std::array<unsigned char, 384>& bytes) {
  static_assert(sizeof(crypto_generichash_state) <= 384 && alignof(crypto_generichash_state) <= 64);
  return reinterpret_cast<crypto_generichash_state*>(bytes.data());
}

}  // namespace

std::uint64_t Digest::word() const {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8 | bytes[i];
  return word;
}

std::string Digest::hex() const {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(64);
  for (const std::uint8_t b : bytes) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

Digester::Digester() {
  initialise_sodium();
  PET_CHECK(crypto_generichash_init(as_state(state_), nullptr, 0, 32) == 0,
            "libsodium refused to start a digest");
}

Digester::Digester(std::string_view purpose) : Digester() { add(purpose); }

void Digester::raw(const void* data, std::size_t size) {
  crypto_generichash_update(as_state(state_), static_cast<const unsigned char*>(data), size);
}

Digester& Digester::add(std::uint64_t number) {
  std::array<unsigned char, 8> little{};
  for (std::size_t i = 0; i < 8; ++i) little[i] = static_cast<unsigned char>(number >> (8 * i));
  raw(little.data(), little.size());
  return *this;
}

Digester& Digester::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

Digester& Digester::add(std::span<const std::byte> data) {
  add(static_cast<std::uint64_t>(data.size()));
  raw(data.data(), data.size());
  return *this;
}

Digester& Digester::append(std::span<const std::byte> piece) {
  raw(piece.data(), piece.size());
  return *this;
}

Digester& Digester::add(const Digest& digest) {
  raw(digest.bytes.data(), digest.bytes.size());
  return *this;
}

Digest Digester::finish() {
  Digest out;
  crypto_generichash_final(as_state(state_), out.bytes.data(), out.bytes.size());
  return out;
}

Digest digest_of(std::string_view purpose, std::string_view text) {
  return Digester(purpose).add(text).finish();
}

Digest plain_digest(std::span<const std::byte> data) {
  return Digester::plain().append(data).finish();
}

}  // namespace pet
