#include "core/eval/kernels/keyed_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/eval/kernels/sip_lanes.h"
#include "core/util/check.h"

namespace pet {

static_assert(std::endian::native == std::endian::little, "the messages are little endian");

namespace {

struct SingleLane {
  using Vector = std::uint64_t;
  static constexpr std::size_t kLanes = 1;

  static Vector spread(std::uint64_t x) { return x; }
  static Vector add(Vector a, Vector b) { return a + b; }
  static Vector subtract(Vector a, Vector b) { return a - b; }
  static Vector exclusive_or(Vector a, Vector b) { return a ^ b; }
  static Vector either(Vector a, Vector b) { return a | b; }
  static Vector times32(Vector a, Vector b) { return (a & 0xffffffff) * (b & 0xffffffff); }
  template <int Bits>
  static Vector rotate(Vector a) {
    return std::rotl(a, Bits);
  }
  template <int Bits>
  static Vector left(Vector a) {
    return a << Bits;
  }
  template <int Bits>
  static Vector right(Vector a) {
    return a >> Bits;
  }
  static Vector smaller32(Vector a, Vector prime) {
    if (a >= prime) a -= prime;
    return a >= prime ? a - prime : a;
  }
  static Vector load32(const std::uint32_t* p) { return *p; }
  static Vector load_strided(const std::uint64_t* p, std::size_t) { return *p; }
  static void load_pairs(const Hash128* p, Vector& low, Vector& high) {
    low = p->low;
    high = p->high;
  }
  static void store_pairs(Hash128* p, Vector low, Vector high) { *p = {low, high}; }
  static void store32(std::uint32_t* p, Vector a) { *p = static_cast<std::uint32_t>(a); }
};

constexpr SipKernels kSingle = sip_kernels<SingleLane>();

const SipKernels& kernels_of(InstructionSet set) {
  PET_CHECK(supported(set), "the machine lacks the instructions of this kernel");
  switch (set) {
    case InstructionSet::Avx512:
      return sip_kernels_avx512();
    case InstructionSet::Avx2:
      return sip_kernels_avx2();
    case InstructionSet::Portable:
      break;
  }
  return kSingle;
}

SipState keyed(const SipKey& key) {
  return {key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d, key.low ^ 0x6c7967656e657261,
          key.high ^ 0x7465646279746573};
}

// The state of the variant with 128-bit output after the words that all messages share.
SipState keyed128(const SipKey& key, std::span<const std::uint64_t> shared) {
  SipState start = keyed(key);
  start.v1 ^= 0xee;
  Sip<SingleLane> sip(start);
  for (const std::uint64_t word : shared) sip.absorb(word);
  return {sip.v0, sip.v1, sip.v2, sip.v3};
}

void digest_rows_under(const SipKey& key, Hash128 salt, std::span<const Hash128> rows,
                       std::size_t width, std::span<Hash128> out, InstructionSet set) {
  PET_CHECK(rows.size() == width * out.size(), "every row has the same width");
  const std::array<std::uint64_t, 3> shared{salt.low, salt.high, width};
  const SipState start = keyed128(key, shared);
  const std::size_t done =
      kernels_of(set).rows(start, rows.data(), width, 0, out.size(), out.data());
  kSingle.rows(start, rows.data(), width, done, out.size(), out.data());
}

void sort_rows(std::span<Hash128> rows, std::size_t width) {
  if (width < 2) return;
  for (std::size_t first = 0; first + width <= rows.size(); first += width)
    std::ranges::sort(rows.subspan(first, width));
}

SipKey key_from(KeyStream&& stream) {
  std::array<std::uint64_t, 2> words{};
  stream.fill(words);
  return {words[0], words[1]};
}

}  // namespace

HashKey::HashKey(const Digest& secret)
    : secret_(Digester("keyed hash of elements").add(secret).finish()),
      elements_(key_from(KeyStream(secret_, 0))),
      sequences_(key_from(KeyStream(secret_, 1))),
      multisets_(key_from(KeyStream(secret_, 2))) {}

SipKey HashKey::expansion(std::size_t stream) const {
  constexpr std::uint64_t kFirstStream = 3;
  return key_from(KeyStream(secret_, kFirstStream + stream));
}

Hash128 salt_of(const Digest& digest) {
  Hash128 salt;
  static_assert(sizeof(salt) <= sizeof(digest.bytes));
  std::memcpy(&salt, digest.bytes.data(), sizeof(salt));
  return salt;
}

void digest_columns(const HashKey& key, Hash128 salt, std::span<const std::uint32_t* const> columns,
                    std::span<Hash128> out, InstructionSet set) {
  const std::array<std::uint64_t, 2> shared{salt.low, salt.high};
  const SipState start = keyed128(key.elements(), shared);
  const std::size_t done =
      kernels_of(set).columns(start, columns.data(), columns.size(), 0, out.size(), out.data());
  kSingle.columns(start, columns.data(), columns.size(), done, out.size(), out.data());
}

void digest_rows(const HashKey& key, Hash128 salt, std::span<const Hash128> rows, std::size_t width,
                 std::span<Hash128> out, InstructionSet set) {
  digest_rows_under(key.sequences(), salt, rows, width, out, set);
}

void digest_multiset_rows(const HashKey& key, Hash128 salt, std::span<Hash128> rows,
                          std::size_t width, std::span<Hash128> out, InstructionSet set) {
  sort_rows(rows, width);
  digest_rows_under(key.multisets(), salt, rows, width, out, set);
}

Hash128 combine_sequence(const HashKey& key, Hash128 salt, std::span<const Hash128> values) {
  Hash128 out;
  digest_rows(key, salt, values, values.size(), {&out, 1}, InstructionSet::Portable);
  return out;
}

Hash128 combine_multiset(const HashKey& key, Hash128 salt, std::span<Hash128> values) {
  Hash128 out;
  digest_multiset_rows(key, salt, values, values.size(), {&out, 1}, InstructionSet::Portable);
  return out;
}

void expand(const HashKey& key, std::span<const Hash128> digests, std::size_t stream,
            const PrimeField& field, std::span<std::uint32_t> out, InstructionSet set) {
  PET_CHECK(digests.size() == out.size(), "one residue for each digest");
  const SipState start = keyed(key.expansion(stream));
  const ExpandField constants{field.prime(), field.fold(), field.reciprocal61()};
  const std::size_t done =
      kernels_of(set).expand(start, constants, 0, out.size(), digests.data(), out.data());
  kSingle.expand(start, constants, done, out.size(), digests.data(), out.data());
}

}  // namespace pet
