// SipHash-2-4 on several messages at once, one in each lane of a vector. Private to this folder; a
// file of one instruction set defines Lanes and includes this after selecting its target. Lanes
// offers
//   Vector, kLanes
//   spread(x), add(a, b), subtract(a, b), exclusive_or(a, b), either(a, b), rotate<n>(a),
//   left<n>(a), right<n>(a), times32(a, b) load32(p): kLanes words of 32 bits, widened
//   load_strided(p, stride): kLanes words, stride words apart load_pairs(p, low, high),
//   store_pairs(p, low, high): kLanes values of Hash128 store32(p, a): the low halves smaller32(a,
//   p): a < 3 p reduced below p
#pragma once

#include "core/eval/kernels/sip_state.h"

namespace pet {

template <class Lanes>
struct Sip {
  using Vector = typename Lanes::Vector;
  static constexpr std::size_t kLanes = Lanes::kLanes;

  Vector v0, v1, v2, v3;

  explicit Sip(const SipState& start)
      : v0(Lanes::spread(start.v0)),
        v1(Lanes::spread(start.v1)),
        v2(Lanes::spread(start.v2)),
        v3(Lanes::spread(start.v3)) {}

  void round() {
    v0 = Lanes::add(v0, v1);
    v2 = Lanes::add(v2, v3);
    v1 = Lanes::exclusive_or(Lanes::template rotate<13>(v1), v0);
    v3 = Lanes::exclusive_or(Lanes::template rotate<16>(v3), v2);
    v0 = Lanes::template rotate<32>(v0);
    v2 = Lanes::add(v2, v1);
    v0 = Lanes::add(v0, v3);
    v1 = Lanes::exclusive_or(Lanes::template rotate<17>(v1), v2);
    v3 = Lanes::exclusive_or(Lanes::template rotate<21>(v3), v0);
    v2 = Lanes::template rotate<32>(v2);
  }
  void absorb(Vector word) {
    v3 = Lanes::exclusive_or(v3, word);
    round();
    round();
    v0 = Lanes::exclusive_or(v0, word);
  }
  Vector output() {
    round();
    round();
    round();
    round();
    return Lanes::exclusive_or(Lanes::exclusive_or(v0, v1), Lanes::exclusive_or(v2, v3));
  }
  void finish128(Hash128* out) {
    v2 = Lanes::exclusive_or(v2, Lanes::spread(0xee));
    const Vector low = output();
    v1 = Lanes::exclusive_or(v1, Lanes::spread(0xdd));
    Lanes::store_pairs(out, low, output());
  }
  Vector finish64() {
    v2 = Lanes::exclusive_or(v2, Lanes::spread(0xff));
    return output();
  }
};

template <class Lanes>
std::size_t columns_in_lanes(const SipState& start, const std::uint32_t* const* columns,
                             std::size_t width, std::size_t first, std::size_t count,
                             Hash128* out) {
  const std::uint64_t length = ((sizeof(Hash128) + 4 * width) & 0xff) << 56;
  std::size_t i = first;
  for (; i + Lanes::kLanes <= count; i += Lanes::kLanes) {
    Sip<Lanes> sip(start);
    for (std::size_t w = 0; w + 2 <= width; w += 2)
      sip.absorb(Lanes::either(Lanes::load32(columns[w] + i),
                               Lanes::template left<32>(Lanes::load32(columns[w + 1] + i))));
    typename Lanes::Vector last = Lanes::spread(length);
    if (width % 2 != 0) last = Lanes::either(last, Lanes::load32(columns[width - 1] + i));
    sip.absorb(last);
    sip.finish128(out + i);
  }
  return i;
}

template <class Lanes>
std::size_t rows_in_lanes(const SipState& start, const Hash128* rows, std::size_t width,
                          std::size_t first, std::size_t count, Hash128* out) {
  // Salt, width and the row: whole words, so the last one holds nothing but the length.
  const std::uint64_t length = ((sizeof(Hash128) + 8 + sizeof(Hash128) * width) & 0xff) << 56;
  std::size_t i = first;
  for (; i + Lanes::kLanes <= count; i += Lanes::kLanes) {
    Sip<Lanes> sip(start);
    const Hash128* row = rows + i * width;
    for (std::size_t w = 0; w < width; ++w) {
      sip.absorb(Lanes::load_strided(&row[w].low, 2 * width));
      sip.absorb(Lanes::load_strided(&row[w].high, 2 * width));
    }
    sip.absorb(Lanes::spread(length));
    sip.finish128(out + i);
  }
  return i;
}

template <class Lanes>
typename Lanes::Vector fold32(typename Lanes::Vector x, typename Lanes::Vector fold) {
  const auto low = Lanes::template right<32>(Lanes::template left<32>(x));
  return Lanes::add(Lanes::times32(Lanes::template right<32>(x), fold), low);
}

template <class Lanes>
std::size_t expand_in_lanes(const SipState& start, const ExpandField& field, std::size_t first,
                            std::size_t count, const Hash128* digests, std::uint32_t* out) {
  using Vector = typename Lanes::Vector;
  const Vector fold = Lanes::spread(field.fold);
  const Vector reciprocal = Lanes::spread(field.reciprocal61);
  const Vector prime = Lanes::spread(field.prime);
  const Vector length = Lanes::spread(std::uint64_t{sizeof(Hash128)} << 56);
  std::size_t i = first;
  for (; i + Lanes::kLanes <= count; i += Lanes::kLanes) {
    Sip<Lanes> sip(start);
    Vector low, high;
    Lanes::load_pairs(digests + i, low, high);
    sip.absorb(low);
    sip.absorb(high);
    sip.absorb(length);
    // Two folds bring 2^64 below 2^61; then the quotient is at most 2 too small (micro_avx512.cpp).
    const Vector x = fold32<Lanes>(fold32<Lanes>(sip.finish64(), fold), fold);
    const Vector quotient =
        Lanes::template right<32>(Lanes::times32(Lanes::template right<29>(x), reciprocal));
    const Vector rest = Lanes::subtract(x, Lanes::times32(quotient, prime));
    Lanes::store32(out + i, Lanes::smaller32(rest, prime));
  }
  return i;
}

template <class Lanes>
constexpr SipKernels sip_kernels() {
  return {&columns_in_lanes<Lanes>, &rows_in_lanes<Lanes>, &expand_in_lanes<Lanes>};
}

}  // namespace pet
