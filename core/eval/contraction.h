// The one fast road for contractions: a term of two factors whose reduction both share becomes, for
// every batch position, a matrix product of packed panels. Which axes are rows, columns, batch or
// depth is read off the plan.
#pragma once

#include <optional>
#include <vector>

#include "core/eval/term_plan.h"

namespace pet {

// A group of loops flattened into one, row-major.
struct FlatLoops {
  std::vector<std::size_t> loops;
  std::size_t size = 1;
};

struct ContractionPlan {
  FlatLoops batch, rows, columns, depth;
  std::size_t row_read = 0;  // which read of the term gives the rows
  std::size_t column_read = 1;
  // Guards by the side that can decide them.
  std::vector<Check> row_guards, column_guards;
};

// Nothing where the term has another form, or where loops serve as well.
std::optional<ContractionPlan> plan_contraction(const TermPlan& plan);

// The values of a sum at every point of a flattened group, without its base.
std::vector<Dim> flattened(const AxisSum& sum, const TermPlan& plan, const FlatLoops& group);

}  // namespace pet
