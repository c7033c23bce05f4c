// Questions about affine functions over a box whose answer may not be the same everywhere in it:
// then they say which variable has to be known more narrowly first (theory: section 4).
#pragma once

#include <optional>
#include <variant>

#include "core/ir/graph.h"
#include "core/ir/meaning.h"
#include "verify/region/affine.h"

namespace pet::region {

// What a question was about, for people who ask why a box ends where it does.
struct Cause {
  enum class Kind {
    Border,      // whether an element lies inside of `value`
    Guard,       // whether a term of `by` counts
    Digit,       // an index is divided
    Table,       // a coefficient of `by`
    Number,      // which number of the constant `value` it is
    Argument,    // what a function is applied to
    Comparison,  // whether terms of two programs are of the same elements: of no single operator
    Close        // nothing could be said of the whole: of no operator either
  };
  Kind kind = Kind::Comparison;
  NodeId by;     // the operator that reads
  NodeId value;  // and what it reads
};

// What to do with a variable.
struct Narrow {
  enum class How {
    Cut,     // its range in two, the second from `value` on
    Digits,  // `value`·outer + inner
    Apart    // every value by itself
  };
  Var var = 0;
  How how = How::Cut;
  Dim value = 0;
  Cause cause = {};  // who asks says it, no question itself
};

// Taps of a kernel and the like: what is summed over so few values may be looked at one by one.
inline constexpr Dim kMostApart = 64;

template <class T>
using Answer = std::variant<T, Narrow>;

// A box: the range of every variable, and how many of them (the first ones) are digits of the
// output.
struct Ranges {
  std::vector<Range> of;
  std::size_t digits = 0;

  bool is_digit(Var var) const { return static_cast<std::size_t>(var) < digits; }
  const Range& operator[](Var var) const { return of[static_cast<std::size_t>(var)]; }
};

// e div m and e mod m, rounded down. REQUIRES: m > 0
struct Division {
  Affine quotient;
  Affine remainder;
};
Answer<Division> divide(const Affine& e, Dim m, const Ranges& ranges);

Answer<bool> holds(const Affine& e, const Guard& guard, const Ranges& ranges);
Answer<bool> lies_between(const Affine& e, Dim low, Dim high, const Ranges& ranges);

// The expression with its axes put in.
Answer<Affine> value_of(const IndexExpr& e, std::span<const Affine> axes, const Ranges& ranges);

// The entry of a table that is the same over the box.
Answer<Rational> entry(const std::vector<Rational>& table, const Affine& at, const Ranges& ranges);

}  // namespace pet::region
