// A linear meaning evaluated by its definition in any exact number type: rationals, or residues
// modulo a prime.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/eval/kernels/prime.h"
#include "tests/support/interpret.h"

namespace pet::test {

// A residue that knows its field.
struct Residue {
  const PrimeField* field = nullptr;
  std::uint32_t value = 0;

  friend Residue operator+(Residue a, Residue b) {
    return {a.field, a.field->add(a.value, b.value)};
  }
  friend Residue operator*(Residue a, Residue b) {
    return {a.field, a.field->mul(a.value, b.value)};
  }
};

template <class N>
struct Numbers {
  Shape shape;
  std::vector<N> data;

  // Nothing outside.
  const N* at(const std::vector<IndexExpr>& index, std::span<const Dim> axes) const {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const Dim position = index[i].value(axes);
      if (position < 0 || position >= shape[i]) return nullptr;
      flat = flat * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(position);
    }
    return &data[flat];
  }
};

// REQUIRES: no element functions
template <class N>
Numbers<N> evaluate_exactly(const IndexedSum& sum, const std::vector<Numbers<N>>& operands,
                            const std::function<N(const Rational&)>& number) {
  Numbers<N> out{sum.out, {}};
  for_each_position({}, sum.out, [&](std::span<const Dim> o) {
    N total = number(0);
    for (const Term& term : sum.terms) {
      for_each_position({o.begin(), o.end()}, term.reduce, [&](std::span<const Dim> axes) {
        if (!all_hold(term.guards, axes)) return;
        N product = number(term.coef.at(axes));
        for (const Access& factor : term.factors) {
          const N* x = operands[static_cast<std::size_t>(factor.operand)].at(factor.index, axes);
          if (x == nullptr) return;
          product = product * *x;
        }
        total = total + product;
      });
    }
    out.data.push_back(total);
  });
  return out;
}

}  // namespace pet::test
