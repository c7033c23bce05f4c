// What is known of whole numbers: affine functions of them that are at least zero.
#pragma once

#include <optional>
#include <vector>

#include "verify/region/affine.h"

namespace pet::all_sizes {

using region::Affine;
using region::Var;

class Facts {
 public:
  Facts() = default;
  explicit Facts(std::vector<Affine> at_least_zero) : known_(std::move(at_least_zero)) {}

  // The same, and that one more is at least zero.
  Facts with(Affine at_least_zero) const;

  // Whether `e` is at least zero wherever all of this holds; nothing: here it is and there it is
  // not, or that was not found out.
  std::optional<bool> holds(const Affine& e) const;

  // Whether something is known of each of its variables.
  bool speak_of(const Affine& e) const;

  // True: no whole numbers have all of this. False: perhaps some have.
  bool contradict() const;

 private:
  std::vector<Affine> known_;
};

// e < 0, of whole numbers, as something that is at least zero.
inline Affine negated(const Affine& e) { return e * -1 - 1; }

}  // namespace pet::all_sizes
