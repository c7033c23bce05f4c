// AVX-512F: a tile of rows x 16 columns. One load brings 16 residues of B; the 32x32-bit
// multiplication reads only the low half of each 64-bit lane, so the load itself serves the even
// columns and a shift gives the odd ones.
#include <immintrin.h>

#include <utility>

#include "core/eval/kernels/micro_kernels.h"

#define PET_AVX512 __attribute__((target("avx512f")))

namespace pet {

namespace {

constexpr std::size_t kGroup = 8;  // products between two conditional subtractions

struct Constants {
  __m512i limit;  // 8 p^2
  __m512i fold;
  __m512i reciprocal;
  __m512i prime;  // in 64-bit lanes
  __m512i prime32;
};

PET_AVX512 inline __m512i spread(std::uint64_t x) {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

PET_AVX512 inline Constants constants(const PrimeField& field) {
  const std::uint64_t prime = field.prime();
  return {spread(8 * prime * prime), spread(field.fold()), spread(field.reciprocal61()),
          spread(prime), _mm512_set1_epi32(static_cast<int>(prime))};
}

// 64-bit sums below 8 p^2 to values below 3 p that are congruent to them (< 2^32, as p < 2^30).
// With s the sum and f = 2^32 mod p, folding gives t = (s >> 32) f + (s mod 2^32) < 8 p^3 / 2^32 +
// 2^32 < 2^61 for every prime up to 2^30 - 35, so t >> 29 fits into 32 bits. The quotient floor((t
// >> 29) floor(2^61 / p) / 2^32) is at most 2 too small: the three floors lose less than 2^29 / p,
// t / 2^61 and 1.
PET_AVX512 inline __m512i barrett(__m512i sum, const Constants& c) {
  const __m512i low32 = _mm512_set1_epi64(0xffffffff);
  const __m512i folded = _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(sum, 32), c.fold),
                                          _mm512_and_si512(sum, low32));
  const __m512i quotient =
      _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(folded, 29), c.reciprocal), 32);
  return _mm512_sub_epi64(folded, _mm512_mul_epu32(quotient, c.prime));
}

PET_AVX512 inline __m512i subtract_once(__m512i x, const Constants& c) {
  return _mm512_min_epu32(x, _mm512_sub_epi32(x, c.prime32));
}

PET_AVX512 inline void store(__m512i even, __m512i odd, const Constants& c, std::uint32_t* out,
                             __mmask16 columns, bool accumulate) {
  const __m512i high = _mm512_slli_epi64(barrett(odd, c), 32);
  __m512i rest = _mm512_or_si512(barrett(even, c), high);
  rest = subtract_once(subtract_once(rest, c), c);
  if (accumulate)
    rest = subtract_once(_mm512_add_epi32(rest, _mm512_maskz_loadu_epi32(columns, out)), c);
  _mm512_mask_storeu_epi32(out, columns, rest);
}

template <std::size_t Rows>
struct Sums {
  __m512i even[Rows];
  __m512i odd[Rows];
};

template <std::size_t Rows>
PET_AVX512 inline void add_products(Sums<Rows>& sums, const std::uint32_t* a,
                                    const std::uint32_t* b) {
  const __m512i even = _mm512_load_si512(b);
  const __m512i odd = _mm512_srli_epi64(even, 32);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) {
    const __m512i left = _mm512_set1_epi32(static_cast<int>(a[r]));
    sums.even[r] = _mm512_add_epi64(sums.even[r], _mm512_mul_epu32(left, even));
    sums.odd[r] = _mm512_add_epi64(sums.odd[r], _mm512_mul_epu32(left, odd));
  }
}

template <std::size_t Rows>
PET_AVX512 inline void stay_below(Sums<Rows>& sums, __m512i limit) {
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) {  // a difference below zero wraps to something large
    sums.even[r] = _mm512_min_epu64(sums.even[r], _mm512_sub_epi64(sums.even[r], limit));
    sums.odd[r] = _mm512_min_epu64(sums.odd[r], _mm512_sub_epi64(sums.odd[r], limit));
  }
}

template <std::size_t Rows>
PET_AVX512 void modular_tile(const PrimeField& field, const ProductTile<std::uint32_t>& tile) {
  const Constants c = constants(field);
  const std::uint32_t* a = tile.a;
  const std::uint32_t* b = tile.b;
  Sums<Rows> sums;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) sums.even[r] = sums.odd[r] = _mm512_setzero_si512();
  for (std::size_t groups = tile.depth / kGroup; groups != 0; --groups) {
    for (std::size_t k = 0; k < kGroup; ++k, a += kPanelRows, b += kPanelColumns)
      add_products<Rows>(sums, a, b);
    stay_below<Rows>(sums, c.limit);
  }
  for (std::size_t k = tile.depth % kGroup; k != 0; --k, a += kPanelRows, b += kPanelColumns)
    add_products<Rows>(sums, a, b);
  stay_below<Rows>(sums, c.limit);
  const auto columns = static_cast<__mmask16>((1U << tile.columns) - 1);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r)
    store(sums.even[r], sums.odd[r], c, tile.c.data + r * tile.c.row_stride, columns,
          tile.c.accumulate);
}

template <std::size_t Rows>
PET_AVX512 void real_tile(const ProductTile<double>& tile) {
  __m512d low[Rows];
  __m512d high[Rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) low[r] = high[r] = _mm512_setzero_pd();
  const double* a = tile.a;
  const double* b = tile.b;
  for (std::size_t k = 0; k < tile.depth; ++k, a += kPanelRows, b += kPanelColumns) {
    const __m512d b_low = _mm512_load_pd(b);
    const __m512d b_high = _mm512_load_pd(b + 8);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
      const __m512d left = _mm512_set1_pd(a[r]);
      low[r] = _mm512_fmadd_pd(left, b_low, low[r]);
      high[r] = _mm512_fmadd_pd(left, b_high, high[r]);
    }
  }
  const unsigned columns = (1U << tile.columns) - 1;
  const auto mask_low = static_cast<__mmask8>(columns);
  const auto mask_high = static_cast<__mmask8>(columns >> 8);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < Rows; ++r) {
    double* out = tile.c.data + r * tile.c.row_stride;
    if (tile.c.accumulate) {
      low[r] = _mm512_add_pd(low[r], _mm512_maskz_loadu_pd(mask_low, out));
      high[r] = _mm512_add_pd(high[r], _mm512_maskz_loadu_pd(mask_high, out + 8));
    }
    _mm512_mask_storeu_pd(out, mask_low, low[r]);
    _mm512_mask_storeu_pd(out + 8, mask_high, high[r]);
  }
}

template <std::size_t... R>
constexpr ModularKernels modular_table(std::index_sequence<R...>) {
  return {&modular_tile<R + 1>...};
}
template <std::size_t... R>
constexpr RealKernels real_table(std::index_sequence<R...>) {
  return {&real_tile<R + 1>...};
}

using AllRows = std::make_index_sequence<kPanelRows>;

}  // namespace

constinit const ModularKernels kModularAvx512 = modular_table(AllRows{});
constinit const RealKernels kRealAvx512 = real_table(AllRows{});

}  // namespace pet
