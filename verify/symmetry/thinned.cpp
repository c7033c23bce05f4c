#include "verify/symmetry/thinned.h"

namespace pet::symmetry {
namespace {

// What is left of the values of a digit.
Dim left_of(Dim extent, Freedom freedom) {
  if (freedom == Freedom::Compared) return 1;
  return freedom == Freedom::Summed && extent > 2 ? 2 : extent;
}

}  // namespace

Thinned thinned(DigitProgram program, const FreeDigits& free) {
  Thinned out;
  for (std::size_t number = 0; number < program.values.size(); ++number) {
    DigitValue& value = program.values[number];
    auto& zeros = out.is_zero_behind_first.emplace_back();
    for (std::size_t k = 0; k < value.digits.size(); ++k) {
      const Dim before = value.digits[k];
      value.digits[k] = left_of(before, free.of_values[number][k]);
      const bool is_summed = free.of_values[number][k] == Freedom::Summed;
      zeros.push_back(is_summed && value.digits[k] < before ? 1 : 0);
    }
    for (std::size_t t = 0; t < value.terms.size(); ++t) {
      DigitTerm& term = value.terms[t];
      for (std::size_t k = 0; k < term.sums.size(); ++k) {
        const Dim before = term.sums[k];
        term.sums[k] = left_of(before, free.of_sums[number][t][k]);
        if (term.sums[k] == before) continue;
        const auto axis = static_cast<int>(value.digits.size() + k);
        term.coef.tables.push_back({axis, {Rational(1), Rational(before - 1)}});
      }
    }
  }
  out.program = std::move(program);
  return out;
}

}  // namespace pet::symmetry
