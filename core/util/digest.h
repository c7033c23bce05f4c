// A 256-bit cryptographic digest (BLAKE2b). "Equal by bits", digests of files and cache keys mean
// this one.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pet {

struct Digest {
  std::array<std::uint8_t, 32> bytes{};
  auto operator<=>(const Digest&) const = default;
  std::string hex() const;
  std::uint64_t word() const;  // its first 64 bits, as a seed or a salt
};

// Collects what is to be digested. Variable-length parts are prefixed by their length, so that two
// different sequences of parts never give the same bytes.
class Digester {
 public:
  explicit Digester(std::string_view purpose);
  Digester& add(std::string_view text);
  Digester& add(std::span<const std::byte> data);
  Digester& add(std::uint64_t number);
  Digester& add(const Digest& digest);
  // Bytes of a part whose length was added before: one that comes in pieces.
  Digester& append(std::span<const std::byte> piece);
  Digest finish();

  // Without a purpose and without lengths: as anybody else digests the bytes that are appended.
  static Digester plain() { return Digester(); }

 private:
  Digester();
  void raw(const void* data, std::size_t size);
  alignas(64) std::array<unsigned char, 384> state_;
};

Digest digest_of(std::string_view purpose, std::string_view text);

// As anybody else computes it (Digester::plain).
Digest plain_digest(std::span<const std::byte> data);

}  // namespace pet
