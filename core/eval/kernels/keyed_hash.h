// The keyed hash that stands for a non-linear operator in a proof: SipHash-2-4 with secret keys,
// many elements at once. An element's message is a salt, which says what is computed (the digest of
// the element function and its parameters), followed by its words; its digest has 128 bits, and
// every residue of the result is expanded from all 128 of them by a hash with a key of its own.
//
//   arguments -> digest_columns -> Hash128 -> (combine: digest_rows) -> expand, once for each prime
//
// The error bound of a proof counts N^2 / 2 pairs of N hashed elements at 2^-128 each for the
// digests.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/eval/kernels/instruction_set.h"
#include "core/eval/kernels/prime.h"
#include "core/util/digest.h"

namespace pet {

struct Hash128 {
  std::uint64_t low = 0;   // bytes 0..7 of the output, little endian
  std::uint64_t high = 0;  // bytes 8..15
  auto operator<=>(const Hash128&) const = default;
};

struct SipKey {
  std::uint64_t low = 0;   // bytes 0..7 of the key, little endian
  std::uint64_t high = 0;  // bytes 8..15
};

// The secret keys of one proof, independent of each other: one for each use and one for each stream
// of expansion.
class HashKey {
 public:
  explicit HashKey(const Digest& secret);

  const SipKey& elements() const { return elements_; }
  const SipKey& sequences() const { return sequences_; }
  const SipKey& multisets() const { return multisets_; }
  SipKey expansion(std::size_t stream) const;

 private:
  Digest secret_;
  SipKey elements_;
  SipKey sequences_;
  SipKey multisets_;
};

// The first 128 bits of a digest, as a salt.
Hash128 salt_of(const Digest& digest);

// out[i] is the digest of salt, columns[0][i], columns[1][i], ... (little endian, 32 bits each):
// the residues of one element under several primes lie in several arrays. REQUIRES: every column
// has out.size() entries
void digest_columns(const HashKey& key, Hash128 salt, std::span<const std::uint32_t* const> columns,
                    std::span<Hash128> out, InstructionSet set = best_instruction_set());

// out[i] is the digest of salt, width, rows[i * width], ..., rows[i * width + width - 1], in this
// order. REQUIRES: rows.size() == width * out.size()
void digest_rows(const HashKey& key, Hash128 salt, std::span<const Hash128> rows, std::size_t width,
                 std::span<Hash128> out, InstructionSet set = best_instruction_set());

// The same for rows that are multisets: sorts each row in place by its whole values, then digests
// it under a key of its own.
void digest_multiset_rows(const HashKey& key, Hash128 salt, std::span<Hash128> rows,
                          std::size_t width, std::span<Hash128> out,
                          InstructionSet set = best_instruction_set());

// One row.
Hash128 combine_sequence(const HashKey& key, Hash128 salt, std::span<const Hash128> values);
Hash128 combine_multiset(const HashKey& key, Hash128 salt,
                         std::span<Hash128> values);  // sorts them

// out[i] = SipHash-2-4-64 of the 16 bytes of digests[i] under key.expansion(stream), modulo the
// prime. Of 2^64 values each residue gets floor or ceil(2^64 / p): a relative bias below p / 2^64 <
// 2^-34. REQUIRES: equal sizes
void expand(const HashKey& key, std::span<const Hash128> digests, std::size_t stream,
            const PrimeField& field, std::span<std::uint32_t> out,
            InstructionSet set = best_instruction_set());

}  // namespace pet
