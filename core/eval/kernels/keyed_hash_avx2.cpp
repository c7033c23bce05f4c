// The SipHash loops in 4 lanes. Everything below the pragma is compiled for AVX2, so nothing from
// the standard library may be instantiated there: the linker might keep that copy for the whole
// program.
#include <immintrin.h>

#include "core/eval/kernels/sip_state.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

namespace pet {

namespace {

struct Lanes256 {
  using Vector = __m256i;
  static constexpr std::size_t kLanes = 4;

  static Vector spread(std::uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
  static Vector add(Vector a, Vector b) { return _mm256_add_epi64(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_sub_epi64(a, b); }
  static Vector exclusive_or(Vector a, Vector b) { return _mm256_xor_si256(a, b); }
  static Vector either(Vector a, Vector b) { return _mm256_or_si256(a, b); }
  static Vector times32(Vector a, Vector b) { return _mm256_mul_epu32(a, b); }
  template <int Bits>
  static Vector rotate(Vector a) {
    if constexpr (Bits == 32) return _mm256_shuffle_epi32(a, 0xb1);
    if constexpr (Bits == 16) {
      const Vector bytes = _mm256_setr_epi8(6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13, 6,
                                            7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13);
      return _mm256_shuffle_epi8(a, bytes);
    }
    return _mm256_or_si256(_mm256_slli_epi64(a, Bits), _mm256_srli_epi64(a, 64 - Bits));
  }
  template <int Bits>
  static Vector left(Vector a) {
    return _mm256_slli_epi64(a, Bits);
  }
  template <int Bits>
  static Vector right(Vector a) {
    return _mm256_srli_epi64(a, Bits);
  }
  // Values below 3 p, minus p twice where that is possible.
  static Vector smaller32(Vector a, Vector prime) {
    a = _mm256_min_epu32(a, _mm256_sub_epi32(a, prime));
    return _mm256_min_epu32(a, _mm256_sub_epi32(a, prime));
  }
  static Vector load32(const std::uint32_t* p) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static Vector load_strided(const std::uint64_t* p, std::size_t stride) {
    const auto at = [&](std::size_t lane) { return static_cast<long long>(p[lane * stride]); };
    return _mm256_setr_epi64x(at(0), at(1), at(2), at(3));
  }
  static void load_pairs(const Hash128* p, Vector& low, Vector& high) {
    const Vector first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const Vector second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 2));
    low = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(first, second), 0xd8);
    high = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(first, second), 0xd8);
  }
  static void store_pairs(Hash128* p, Vector low, Vector high) {
    const Vector even = _mm256_unpacklo_epi64(low, high);
    const Vector odd = _mm256_unpackhi_epi64(low, high);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 2),
                        _mm256_permute2x128_si256(even, odd, 0x31));
  }
  static void store32(std::uint32_t* p, Vector a) {
    const Vector halves = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(halves));
  }
};

}  // namespace

}  // namespace pet

#include "core/eval/kernels/sip_lanes.h"

namespace pet {

const SipKernels& sip_kernels_avx2() {
  static constexpr SipKernels kKernels = sip_kernels<Lanes256>();
  return kKernels;
}

}  // namespace pet

#ifdef __clang__
#pragma clang attribute pop
#endif
