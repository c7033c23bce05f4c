// What the SipHash loops of the instruction sets have in common. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/eval/kernels/keyed_hash.h"

namespace pet {

// After the key and the words that all messages share.
struct SipState {
  std::uint64_t v0, v1, v2, v3;
};

// The constants of PrimeField that expansion uses.
struct ExpandField {
  std::uint32_t prime;
  std::uint32_t fold;
  std::uint32_t reciprocal61;
};

// Each computes the elements first, first + 1, ... as long as a whole vector of them is left before
// `count`, and returns the index of the first element that it has not computed.
struct SipKernels {
  std::size_t (*columns)(const SipState&, const std::uint32_t* const*, std::size_t width,
                         std::size_t first, std::size_t count, Hash128* out);
  std::size_t (*rows)(const SipState&, const Hash128*, std::size_t width, std::size_t first,
                      std::size_t count, Hash128* out);
  std::size_t (*expand)(const SipState&, const ExpandField&, std::size_t first, std::size_t count,
                        const Hash128*, std::uint32_t* out);
};

const SipKernels& sip_kernels_avx2();
const SipKernels& sip_kernels_avx512();

}  // namespace pet
