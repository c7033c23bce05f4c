// What an operator computes, exactly: its meaning.
//
//   result[o] = Σ_terms Σ_{r in term.reduce, guards hold} coef(o, r) · Π factors[index(o, r)]
//
// A factor reads an operand of the operator, or the result of an element function applied inside
// the operator (Relu's max(x,0); the 1/sqrt(var+eps) of a batch normalisation). Reading outside a
// tensor yields 0, so padding, Pad and Concat need no case of their own.
//
// Everything else is derived from this: shapes, real and modular evaluation, footprints, keyed
// hashes, work, linearity.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/ir/index_expr.h"
#include "core/ir/shape.h"
#include "core/ir/type.h"
#include "core/util/interval.h"

namespace pet {

// operand < number of operands: that operand; above: the application numbered operand - number of
// operands.
struct Access {
  int operand = 0;
  std::vector<IndexExpr> index;
};

// A term counts only where all its guards hold: e in [low, high), or e a multiple of `multiple_of`
// where that is set.
struct Guard {
  IndexExpr expr;
  Dim low = 0;
  Dim high = 0;
  Dim multiple_of = 0;

  bool holds(std::span<const Dim> axes) const;
  bool holds_for(Dim value) const {
    return multiple_of != 0 ? floor_mod(value, multiple_of) == 0 : value >= low && value < high;
  }
};

bool all_hold(std::span<const Guard> guards, std::span<const Dim> axes);

// A factor that depends on the position along one axis: pool divisors, resize weights.
struct AxisTable {
  int axis = 0;
  std::vector<Rational> values;
};

struct Coef {
  Rational scale = 1;
  std::vector<AxisTable> tables;

  Rational at(std::span<const Dim> axes) const;
};

struct Term {
  Coef coef;
  Shape reduce;
  std::vector<Guard> guards;
  std::vector<Access> factors;
};

struct IndexedSum {
  Shape out;
  std::vector<Term> terms;
};

// ---- element functions
// -----------------------------------------------------------------------------------------------

using Real = long double;

// What a window or row contributes to each of its elements: (max, sum), (mean, 1/deviation), (max,
// unused).
struct RowState {
  Real first = 0;
  Real second = 0;
};

enum class Totality {
  Total,
  Partial
};  // Partial: undefined over the reals for some arguments (1/x, sqrt, log, pow)
enum class Symmetry { Ordered, Multiset };
// Where the value jumps, so that the smallest difference of arguments decides about it: nowhere,
// where two elements are equal (comparisons), or at numbers of its own (rounding to integers,
// thresholds). Where a partial function is not defined is no jump.
enum class Jumps { Nowhere, AtTies, AtNumbers };

// How a number of the row state follows from the elements of a window, for generated code: what
// is folded of each (`x`, and the number before as `r0`), and what is made of the whole (`r`, of
// `n` elements).
enum class Fold { Sum, Product, Largest, Smallest };
struct FoldText {
  Fold fold = Fold::Sum;
  std::string_view element = {};  // empty: there is no such number
  std::string_view result = "r";
};
using RowText = std::array<FoldText, 2>;

// A function of single numbers and, optionally, of one window of them. Uninterpreted in proofs:
// there it is identified by its name and parameters alone.
//
// `text` is its value once more, in floats, as generated code computes it: an expression of C in
// the elements x0, x1, ... (`x...`: all of them, two by two), the parameters p0, ... and the row
// state r0, r1; its words are those of gpu/kernel/functions.def.
struct ElementFunction {
  std::string_view name;
  Totality totality = Totality::Total;
  std::string_view text = {};
  RowText row_text = {};  // of those with a row
  Real (*value)(std::span<const double> parameters, const RowState& row,
                std::span<const Real> elements) = nullptr;
  RowState (*row)(std::span<const double> parameters,
                  std::span<const Real> window) = nullptr;  // null: reads no window
  // The value as an interval, the narrower the more bits; nothing where it is undefined. Null: the
  // function cannot be part of a weight program.
  std::optional<Interval> (*enclose)(std::span<const double> parameters,
                                     std::span<const Interval> elements, unsigned bits) = nullptr;
  Finiteness at_infinity = Finiteness::MaybeNoNumber;  // what it makes of infinite arguments
  Jumps jumps = Jumps::Nowhere;
};

// The elements of a window: read at every point of `extent` (axes numbered after the output's)
// where the guards hold. What a guard or the operand's border leaves out is a hole; `row` is handed
// the elements in order, without the holes.
struct Window {
  Shape extent;
  std::vector<Guard> guards;
  Access read;
  Symmetry symmetry = Symmetry::Ordered;
};

// One element function applied at every position of `out`.
struct Application {
  const ElementFunction* function = nullptr;
  std::vector<double> parameters;
  Shape out;
  std::vector<Access> elements;
  std::optional<Window> window;
};

struct Meaning {
  std::vector<Application> applications;  // each may read operands and earlier applications
  IndexedSum sum;
};

// A sum of one term that reads application or operand `operand` at the position itself.
IndexedSum read_in_place(int operand, const Shape& shape);
std::vector<IndexExpr> identity_index(const Shape& shape);
// The index of an operand of shape `from` under broadcasting to `to`.
std::vector<IndexExpr> broadcast_index(const Shape& from, const Shape& to);

bool is_linear(const Meaning& meaning);  // no element function: a sum of products of the operands
bool is_data_movement(const Meaning& meaning);  // every output element is one operand element, or 0

// What becomes of operands that may not be finite: nothing of them is left (finite functions of
// them are), they are moved, or there is arithmetic with them or with functions of them.
enum class Fate { Gone, Moved, Computed };
struct Made {
  Fate fate = Fate::Gone;
  Finiteness numbers = Finiteness::Finite;  // the result
};
Made made_of(const Meaning& meaning, std::vector<Finiteness> operands);

}  // namespace pet
