// A term of a meaning compiled for evaluation: one loop an axis, and for every read the flat offset
// as a sum of what each axis adds. These come from the index expressions; whoever runs the loops
// knows no operator.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ir/meaning.h"

namespace pet {

// A base and what each axis adds to it: even steps, and a table where it takes one.
struct AxisSum {
  Dim base = 0;
  std::vector<Dim> steps;                // by axis
  std::vector<std::vector<Dim>> tables;  // by axis, empty where the steps are all; or none at all

  bool has_table(std::size_t axis) const { return !tables.empty() && !tables[axis].empty(); }
  bool depends_on(std::size_t axis) const { return steps[axis] != 0 || has_table(axis); }
  Dim along(std::size_t axis, Dim v) const {
    return steps[axis] * v + (has_table(axis) ? tables[axis][static_cast<std::size_t>(v)] : 0);
  }
  // base + along(axis, 0), base + along(axis, 1) and so on.
  void walk(std::size_t axis, Dim from, std::span<Dim> out) const;
};

// Holds where the sum lies in [low, high), or is a multiple of `multiple_of` where that is set.
struct Check {
  AxisSum sum;
  Dim low = 0;
  Dim high = 0;
  Dim multiple_of = 0;

  bool holds(Dim value) const {
    return multiple_of != 0 ? floor_mod(value, multiple_of) == 0 : value >= low && value < high;
  }
};

// In place of an operand: the number 1. A term with guards but no factors reads it, so that its
// guards have a read to strike out.
inline constexpr int kOne = -1;

struct ReadPlan {
  int operand = 0;
  AxisSum offset;             // into the flat operand
  std::vector<Check> checks;  // only those that can fail: in range of the operand
  // Where an index mixes axes by division, offset and checks are replaced by one entry for each
  // point of the loops (row-major), -1 outside the operand.
  std::vector<Dim> dense;
};

struct TermPlan {
  Shape extents;              // the loops: pieces of the output's axes, then of the reduction's
  std::size_t out_loops = 0;  // how many of them belong to the output
  AxisSum out_offset;         // into the flat output
  std::vector<Check> guards;  // only those that can fail
  std::vector<ReadPlan> reads;
  Rational scale = 1;
  std::vector<AxisTable> tables;

  bool is_dense() const;  // some read is
};

// By output axis the positions at which something is computed, ascending; none: at all of them.
using Positions = std::vector<std::vector<Dim>>;
// The shape of what is computed there.
Shape shape_at(const Positions& positions, const Shape& out);

// Splits axes into digits where expressions divide them (a group number is the high digit of an
// output channel), so that a grouped convolution becomes a batch of ordinary products.
// `at`: nothing, or positions of each axis of the output: the result has no others.
// REQUIRES: where there are such positions all indices and guards are separable
TermPlan compile_term(const Term& term, const Shape& out, std::span<const Shape> operands,
                      const Positions& at = {});

// A lone read without reduction, as for the arguments of an element function; a plan of no points
// where `loops` have none.
TermPlan compile_read(const Access& access, const std::vector<Guard>& guards, const Shape& loops,
                      const Shape& operand);

}  // namespace pet
