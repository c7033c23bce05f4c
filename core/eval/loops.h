// Runs the loops of a TermPlan one innermost line at a time. For every line it says where the
// output lies and, for every read, at which offsets the operand is read (-1: outside, or a guard
// fails).
#pragma once

#include <functional>
#include <vector>

#include "core/eval/term_plan.h"

namespace pet {

struct Line {
  Dim first_point = 0;  // row-major number of the line's first point
  std::size_t length = 0;
  Dim out_base = 0;                             // offset of the first point in the output
  const std::vector<Dim>* out_steps = nullptr;  // along the line, null where the output stays
  std::vector<std::vector<Dim>> reads;          // one list of offsets a read
  std::vector<Dim> at;                          // the position of the line's first point
  std::size_t inner = 0;                        // the loop along which the line runs
};

// Lines whose outer position lies in [first, last) of line_count(plan).
std::size_t line_count(const TermPlan& plan);
void for_each_line(const TermPlan& plan, std::size_t first, std::size_t last,
                   const std::function<void(const Line&)>& run);

}  // namespace pet
