#include "verify/symmetry/free_digits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace pet::symmetry {
namespace {

// Digits that have to be permuted together are one class.
class Classes {
 public:
  explicit Classes(const DigitProgram& program) : program_(program) {
    for (const DigitValue& value : program.values) {
      first_of_value_.push_back(extents_.size());
      extents_.insert(extents_.end(), value.digits.begin(), value.digits.end());
      auto& first_of_terms = first_of_sums_.emplace_back();
      for (const DigitTerm& term : value.terms) {
        first_of_terms.push_back(extents_.size());
        extents_.insert(extents_.end(), term.sums.begin(), term.sums.end());
      }
    }
    parents_.resize(extents_.size());
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    spoiled_.assign(extents_.size(), 0);
    for (std::size_t value = 0; value < program.values.size(); ++value) look_at(value);
    for (std::size_t k = 0; k < program.values[program.original].digits.size(); ++k)
      join(of_value(program.original, k), of_value(program.mutant, k));
    for (std::size_t digit = 0; digit < extents_.size(); ++digit) {
      if (spoiled_[digit] != 0) spoiled_[root(digit)] = 1;
    }
  }

  std::size_t number() const { return extents_.size(); }
  std::size_t of_value(std::size_t value, std::size_t k) const {
    return first_of_value_[value] + k;
  }
  std::size_t of_sum(std::size_t value, std::size_t term, std::size_t k) const {
    return first_of_sums_[value][term] + k;
  }
  std::size_t root(std::size_t digit) const {
    while (parents_[digit] != digit) digit = parents_[digit];
    return digit;
  }
  bool is_spoiled(std::size_t root) const { return spoiled_[root] != 0; }

 private:
  void look_at(std::size_t number) {
    const DigitValue& value = program_.values[number];
    // Numbers are what they are, at one index this and at another one that.
    if (value.leaf && value.leaf->numbers) {
      for (std::size_t k = 0; k < value.digits.size(); ++k) spoil(of_value(number, k));
    }
    for (std::size_t t = 0; t < value.terms.size(); ++t) {
      const DigitTerm& term = value.terms[t];
      const auto digit_of = [&](int axis) {
        const auto k = static_cast<std::size_t>(axis);
        return k < value.digits.size() ? of_value(number, k)
                                       : of_sum(number, t, k - value.digits.size());
      };
      const auto spoil_all = [&](const IndexExpr& e) {
        for (const int axis : e.axes()) spoil(digit_of(axis));
      };
      for (const AxisTable& table : term.coef.tables) spoil(digit_of(table.axis));
      for (const Guard& guard : term.guards) spoil_all(guard.expr);
      for (const Read& read : term.factors) {
        for (std::size_t k = 0; k < read.index.size(); ++k) {
          const IndexExpr& e = read.index[k];
          const std::size_t digit = of_value(read.value, k);
          const bool is_plain = e.constant() == 0 && e.parts().size() == 1 &&
                                e.parts()[0].is_plain_axis() && e.parts()[0].coefficient == 1;
          if (is_plain && extents_[digit_of(e.parts()[0].axis)] == extents_[digit]) {
            join(digit, digit_of(e.parts()[0].axis));
          } else {
            spoil(digit);
            spoil_all(e);
          }
        }
      }
    }
  }

  void spoil(std::size_t digit) { spoiled_[digit] = 1; }
  void join(std::size_t a, std::size_t b) { parents_[root(a)] = root(b); }

  const DigitProgram& program_;
  std::vector<Dim> extents_;
  std::vector<std::size_t> parents_;
  std::vector<char> spoiled_;
  std::vector<std::size_t> first_of_value_;
  std::vector<std::vector<std::size_t>> first_of_sums_;
};

// Whether no product of either program holds leaves at two different values of the class's digit.
bool is_alone(const DigitProgram& program, const Classes& classes, std::size_t root) {
  std::vector<std::size_t> summed(program.values.size(), 0);  // most sums over it in one product
  for (std::size_t number = 0; number < program.values.size(); ++number) {
    const DigitValue& value = program.values[number];
    std::size_t own = 0;
    for (std::size_t k = 0; k < value.digits.size(); ++k)
      own += classes.root(classes.of_value(number, k)) == root ? 1U : 0U;
    if (own > 1) return false;
    for (std::size_t t = 0; t < value.terms.size(); ++t) {
      const DigitTerm& term = value.terms[t];
      std::size_t here = 0;
      for (std::size_t k = 0; k < term.sums.size(); ++k)
        here += classes.root(classes.of_sum(number, t, k)) == root ? 1U : 0U;
      for (const Read& read : term.factors) here += summed[read.value];
      if (own + here > 1) return false;
      summed[number] = std::max(summed[number], here);
    }
  }
  return true;
}

}  // namespace

FreeDigits free_digits(const DigitProgram& program) {
  const Classes classes(program);
  std::vector<Freedom> of_root(classes.number(), Freedom::Summed);
  for (std::size_t k = 0; k < program.values[program.original].digits.size(); ++k)
    of_root[classes.root(classes.of_value(program.original, k))] = Freedom::Compared;
  for (std::size_t digit = 0; digit < classes.number(); ++digit) {
    if (classes.root(digit) == digit &&
        (classes.is_spoiled(digit) || !is_alone(program, classes, digit)))
      of_root[digit] = Freedom::None;
  }
  FreeDigits out;
  for (std::size_t number = 0; number < program.values.size(); ++number) {
    const DigitValue& value = program.values[number];
    auto& of_value = out.of_values.emplace_back();
    for (std::size_t k = 0; k < value.digits.size(); ++k)
      of_value.push_back(of_root[classes.root(classes.of_value(number, k))]);
    auto& of_sums = out.of_sums.emplace_back();
    for (std::size_t t = 0; t < value.terms.size(); ++t) {
      auto& of_term = of_sums.emplace_back();
      for (std::size_t k = 0; k < value.terms[t].sums.size(); ++k)
        of_term.push_back(of_root[classes.root(classes.of_sum(number, t, k))]);
    }
  }
  return out;
}

}  // namespace pet::symmetry
