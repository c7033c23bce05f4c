// AVX2: tiles of up to 4 rows x 8 columns, which fit into 16 registers; four of them make a tile of
// the panels. There is no unsigned 64-bit minimum, so the sums carry a bias of -8 p^2: they live in
// [-8 p^2, 0) between two groups, and the sign says whether 8 p^2 has to be subtracted.
#include <immintrin.h>

#include <utility>

#include "core/eval/kernels/micro_kernels.h"

#define PET_AVX2 __attribute__((target("avx2,fma")))

namespace pet {

namespace {

constexpr std::size_t kGroup = 8;  // products between two conditional subtractions
constexpr std::size_t kWidth = 8;  // columns of one register of B

struct Constants {
  __m256i limit;  // 8 p^2
  __m256i fold;
  __m256i reciprocal;
  __m256i prime;  // in 64-bit lanes
  __m256i prime32;
};

PET_AVX2 inline __m256i spread(std::uint64_t x) {
  return _mm256_set1_epi64x(static_cast<long long>(x));
}

PET_AVX2 inline Constants constants(const PrimeField& field) {
  const std::uint64_t prime = field.prime();
  return {spread(8 * prime * prime), spread(field.fold()), spread(field.reciprocal61()),
          spread(prime), _mm256_set1_epi32(static_cast<int>(prime))};
}

// `negative` where the sign of `sign` is set, else `other`.
PET_AVX2 inline __m256i by_sign(__m256i sign, __m256i negative, __m256i other) {
  return _mm256_castpd_si256(_mm256_blendv_pd(
      _mm256_castsi256_pd(other), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(sign)));
}

// Sums in [-8 p^2, 0) to values below 3 p that are congruent to them; why: micro_avx512.cpp.
PET_AVX2 inline __m256i barrett(__m256i sum, const Constants& c) {
  const __m256i low32 = _mm256_set1_epi64x(0xffffffff);
  sum = _mm256_add_epi64(sum, c.limit);
  const __m256i folded = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(sum, 32), c.fold),
                                          _mm256_and_si256(sum, low32));
  const __m256i quotient =
      _mm256_srli_epi64(_mm256_mul_epu32(_mm256_srli_epi64(folded, 29), c.reciprocal), 32);
  return _mm256_sub_epi64(folded, _mm256_mul_epu32(quotient, c.prime));
}

PET_AVX2 inline __m256i subtract_once(__m256i x, const Constants& c) {
  return _mm256_min_epu32(x, _mm256_sub_epi32(x, c.prime32));
}

PET_AVX2 inline void store(__m256i even, __m256i odd, const Constants& c, std::uint32_t* out,
                           __m256i columns, bool accumulate) {
  const __m256i high = _mm256_slli_epi64(barrett(odd, c), 32);
  __m256i rest = _mm256_or_si256(barrett(even, c), high);
  rest = subtract_once(subtract_once(rest, c), c);
  auto* place = reinterpret_cast<int*>(out);
  if (accumulate)
    rest = subtract_once(_mm256_add_epi32(rest, _mm256_maskload_epi32(place, columns)), c);
  _mm256_maskstore_epi32(place, columns, rest);
}

template <std::size_t Rows>
struct Sums {
  __m256i even[Rows];
  __m256i odd[Rows];
};

template <std::size_t Rows>
PET_AVX2 inline void add_products(Sums<Rows>& sums, const std::uint32_t* a,
                                  const std::uint32_t* b) {
  const __m256i even = _mm256_load_si256(reinterpret_cast<const __m256i*>(b));
  const __m256i odd = _mm256_srli_epi64(even, 32);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) {
    const __m256i left = _mm256_set1_epi32(static_cast<int>(a[r]));
    sums.even[r] = _mm256_add_epi64(sums.even[r], _mm256_mul_epu32(left, even));
    sums.odd[r] = _mm256_add_epi64(sums.odd[r], _mm256_mul_epu32(left, odd));
  }
}

template <std::size_t Rows>
PET_AVX2 inline void stay_negative(Sums<Rows>& sums, __m256i limit) {
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) {
    sums.even[r] = by_sign(sums.even[r], sums.even[r], _mm256_sub_epi64(sums.even[r], limit));
    sums.odd[r] = by_sign(sums.odd[r], sums.odd[r], _mm256_sub_epi64(sums.odd[r], limit));
  }
}

// Results [0, Rows) x [0, 8) of the tile whose operands and output start at a, b, out.
template <std::size_t Rows>
PET_AVX2 inline void modular_part(const Constants& c, const ProductTile<std::uint32_t>& tile,
                                  const std::uint32_t* a, const std::uint32_t* b,
                                  std::uint32_t* out, __m256i columns) {
  Sums<Rows> sums;
  const __m256i start = _mm256_sub_epi64(_mm256_setzero_si256(), c.limit);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) sums.even[r] = sums.odd[r] = start;
  for (std::size_t groups = tile.depth / kGroup; groups != 0; --groups) {
    for (std::size_t k = 0; k < kGroup; ++k, a += kPanelRows, b += kPanelColumns)
      add_products<Rows>(sums, a, b);
    stay_negative<Rows>(sums, c.limit);
  }
  for (std::size_t k = tile.depth % kGroup; k != 0; --k, a += kPanelRows, b += kPanelColumns)
    add_products<Rows>(sums, a, b);
  stay_negative<Rows>(sums, c.limit);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r)
    store(sums.even[r], sums.odd[r], c, out + r * tile.c.row_stride, columns, tile.c.accumulate);
}

// Lanes of 32 bits: all ones where the column exists.
PET_AVX2 inline __m256i column_mask(std::size_t columns) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(columns)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

template <std::size_t Rows>
PET_AVX2 void modular_tile(const PrimeField& field, const ProductTile<std::uint32_t>& tile) {
  constexpr std::size_t kFirst = Rows < 4 ? Rows : 4;
  const Constants c = constants(field);
  for (std::size_t n = 0; n < tile.columns; n += kWidth) {
    const __m256i columns = column_mask(tile.columns - n);
    std::uint32_t* out = tile.c.data + n;
    modular_part<kFirst>(c, tile, tile.a, tile.b + n, out, columns);
    if constexpr (Rows > 4)
      modular_part<Rows - 4>(c, tile, tile.a + 4, tile.b + n, out + 4 * tile.c.row_stride, columns);
  }
}

template <std::size_t Rows>
PET_AVX2 inline void real_part(const ProductTile<double>& tile, const double* a, const double* b,
                               double* out, std::size_t columns) {
  __m256d low[Rows];
  __m256d high[Rows];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) low[r] = high[r] = _mm256_setzero_pd();
  for (std::size_t k = 0; k < tile.depth; ++k, a += kPanelRows, b += kPanelColumns) {
    const __m256d b_low = _mm256_load_pd(b);
    const __m256d b_high = _mm256_load_pd(b + 4);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) {
      const __m256d left = _mm256_set1_pd(a[r]);
      low[r] = _mm256_fmadd_pd(left, b_low, low[r]);
      high[r] = _mm256_fmadd_pd(left, b_high, high[r]);
    }
  }
  const __m256i mask = column_mask(columns);
  const __m256i mask_low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(mask));
  const __m256i mask_high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(mask, 1));
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r, out += tile.c.row_stride) {
    if (tile.c.accumulate) {
      low[r] = _mm256_add_pd(low[r], _mm256_maskload_pd(out, mask_low));
      high[r] = _mm256_add_pd(high[r], _mm256_maskload_pd(out + 4, mask_high));
    }
    _mm256_maskstore_pd(out, mask_low, low[r]);
    _mm256_maskstore_pd(out + 4, mask_high, high[r]);
  }
}

template <std::size_t Rows>
PET_AVX2 void real_tile(const ProductTile<double>& tile) {
  constexpr std::size_t kFirst = Rows < 4 ? Rows : 4;
  for (std::size_t n = 0; n < tile.columns; n += kWidth) {
    const std::size_t columns = tile.columns - n;
    double* out = tile.c.data + n;
    real_part<kFirst>(tile, tile.a, tile.b + n, out, columns);
    if constexpr (Rows > 4)
      real_part<Rows - 4>(tile, tile.a + 4, tile.b + n, out + 4 * tile.c.row_stride, columns);
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

constinit const ModularKernels kModularAvx2 = modular_table(AllRows{});
constinit const RealKernels kRealAvx2 = real_table(AllRows{});

}  // namespace pet
