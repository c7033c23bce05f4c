// The number systems that programs are evaluated in: the residues modulo several primes at once
// (proofs), or reals (numerical checks, bounds; in floats: what rounding makes of them).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/eval/kernels/modular_product.h"
#include "core/eval/kernels/prime.h"
#include "core/eval/kernels/real_product.h"
#include "core/eval/lane_tensor.h"
#include "core/util/rational.h"

namespace pet {

using ResidueTensor = LaneTensor<std::uint32_t>;

class ResidueRing {
 public:
  using Element = std::uint32_t;
  static constexpr bool kLanesAreAlike = false;  // the same numbers in every lane

  explicit ResidueRing(std::vector<PrimeField> fields) : fields_(std::move(fields)) {}
  std::size_t lanes() const { return fields_.size(); }
  const PrimeField& field(std::size_t lane) const { return fields_[lane]; }

  // Nothing where the prime divides the denominator.
  std::optional<Element> constant(std::size_t lane, const Rational& x) const {
    return fields_[lane].residue(x);
  }
  Element add(std::size_t lane, Element a, Element b) const { return fields_[lane].add(a, b); }
  Element mul(std::size_t lane, Element a, Element b) const { return fields_[lane].mul(a, b); }
  // sum + a[0] b[at[0]] + a[1] b[at[1]] + ..., where b counts 0 at a negative offset.
  Element add_products(std::size_t lane, Element sum, std::span<const Element> a,
                       std::span<const Element> b, std::span<const Dim> at) const {
    constexpr std::size_t kAtOnce = 15;  // products below 2^60, and what was there: below 2^64
    std::uint64_t total = sum;
    for (std::size_t first = 0; first < a.size(); first += kAtOnce) {
      const std::size_t last = std::min(a.size(), first + kAtOnce);
      for (std::size_t i = first; i < last; ++i)
        total += at[i] < 0 ? 0 : std::uint64_t{a[i]} * b[static_cast<std::size_t>(at[i])];
      total = fields_[lane].reduce(total);
    }
    return static_cast<Element>(total);
  }
  void product(std::size_t lane, const PackedRows<Element>& a, std::size_t first_k,
               const PackedColumns<Element>& b, ProductOutput<Element> c) const {
    modular_product(fields_[lane], a, first_k, b, c);
  }

 private:
  std::vector<PrimeField> fields_;
};

// Signed: as they are. Absolute: every constant and coefficient replaced by its absolute value
// (theory: how large the terms of a sum are, whatever cancels).
enum class Signs { Signed, Absolute };

template <class T>
class RealRing {
 public:
  using Element = T;
  static constexpr bool kLanesAreAlike = true;

  explicit RealRing(Signs signs = Signs::Signed, std::size_t lanes = 1)
      : signs_(signs), lanes_(lanes) {}
  std::size_t lanes() const { return lanes_; }
  Signs signs() const { return signs_; }

  std::optional<Element> constant(std::size_t, const Rational& x) const {
    T value = 0;
    if constexpr (std::is_same_v<T, long double>) {
      value = to_long_double(x);
    } else {
      value = static_cast<T>(to_double(x));
    }
    return signs_ == Signs::Absolute ? std::abs(value) : value;
  }
  Element add(std::size_t, Element a, Element b) const { return a + b; }
  Element mul(std::size_t, Element a, Element b) const { return a * b; }
  // sum + a[0] b[at[0]] + a[1] b[at[1]] + ... in this order, where b counts 0 at a negative offset.
  Element add_products(std::size_t, Element sum, std::span<const Element> a,
                       std::span<const Element> b, std::span<const Dim> at) const {
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += at[i] < 0 ? Element{0} : a[i] * b[static_cast<std::size_t>(at[i])];
    return sum;
  }
  void product(std::size_t, const PackedRows<T>& a, std::size_t first_k, const PackedColumns<T>& b,
               ProductOutput<T> c) const {
    real_product(a, first_k, b, c);
  }

 private:
  Signs signs_;
  std::size_t lanes_;
};

}  // namespace pet
