// The SipHash loops in 8 lanes. Everything below the pragma is compiled for AVX-512F, so nothing
// from the standard library may be instantiated there: the linker might keep that copy for the
// whole program.
#include <immintrin.h>

#include "core/eval/kernels/sip_state.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif

namespace pet {

namespace {

struct Lanes512 {
  using Vector = __m512i;
  static constexpr std::size_t kLanes = 8;

  static Vector spread(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  static Vector add(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_sub_epi64(a, b); }
  static Vector exclusive_or(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
  static Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }
  static Vector times32(Vector a, Vector b) { return _mm512_mul_epu32(a, b); }
  template <int Bits>
  static Vector rotate(Vector a) {
    return _mm512_rol_epi64(a, Bits);
  }
  template <int Bits>
  static Vector left(Vector a) {
    return _mm512_slli_epi64(a, Bits);
  }
  template <int Bits>
  static Vector right(Vector a) {
    return _mm512_srli_epi64(a, Bits);
  }
  // Values below 3 p, minus p twice where that is possible.
  static Vector smaller32(Vector a, Vector prime) {
    a = _mm512_min_epu32(a, _mm512_sub_epi32(a, prime));
    return _mm512_min_epu32(a, _mm512_sub_epi32(a, prime));
  }
  static Vector load32(const std::uint32_t* p) {
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Vector load_strided(const std::uint64_t* p, std::size_t stride) {
    const auto at = [&](std::size_t lane) { return static_cast<long long>(p[lane * stride]); };
    return _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
  }
  static void load_pairs(const Hash128* p, Vector& low, Vector& high) {
    const Vector first = _mm512_loadu_si512(p);
    const Vector second = _mm512_loadu_si512(p + 4);
    const Vector lows = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const Vector highs = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    low = _mm512_permutex2var_epi64(first, lows, second);
    high = _mm512_permutex2var_epi64(first, highs, second);
  }
  static void store_pairs(Hash128* p, Vector low, Vector high) {
    const Vector first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const Vector second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi64(low, first, high));
    _mm512_storeu_si512(p + 4, _mm512_permutex2var_epi64(low, second, high));
  }
  static void store32(std::uint32_t* p, Vector a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(a));
  }
};

}  // namespace

}  // namespace pet

#include "core/eval/kernels/sip_lanes.h"

namespace pet {

const SipKernels& sip_kernels_avx512() {
  static constexpr SipKernels kKernels = sip_kernels<Lanes512>();
  return kKernels;
}

}  // namespace pet

#ifdef __clang__
#pragma clang attribute pop
#endif
