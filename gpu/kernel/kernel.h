// A generated kernel as data: what is computed, and how its positions are shared among threads.
//
// A body says what: at every position of `out` the folds in their order, then the value, which
// reads their results. Axes are numbered: those of the result first, then those of the fold.
// A kernel says how: `rows` are the axes that folds depend on, one block of `threads` threads each,
// which share the row's folds and the positions `within` it; with one thread a row it is `rows`
// that are shared out, a thread each.
#pragma once

#include <string>
#include <vector>

#include "gpu/kernel/expression.h"

namespace pet::gpu {

struct FoldStep {
  Fold fold = Fold::Sum;
  Shape extent;
  ExpressionRef element;  // of the axes, the buffers and the folds before
  ExpressionRef result;   // of the number that was folded, which is its own local
};

struct Body {
  Shape out;
  std::vector<FoldStep> folds;
  ExpressionRef value;
};

struct Kernel {
  Shape rows;
  Shape within;
  int threads = 1;  // of a row
  std::vector<FoldStep> folds;
  ExpressionRef value;
  std::vector<Shape> reads;  // of the buffers, as this kernel sees them
  Shape result;
  std::vector<IndexExpr> place;  // of the element in the result, of the axes rows, within

  bool is_by_rows() const { return threads > 1; }
  Shape extents(const FoldStep& fold) const;  // of the axes in that fold
  Shape positions() const;                    // of the axes outside of folds
};

float neutral(Fold fold);

// The same, every expression of which that is equal to another one is that one.
Body with_equal_parts_shared(Body body);

// `reads`: the shapes of the buffers that the body reads, by number.
Kernel make_kernel(Body body, std::vector<Shape> reads);

// Operations on floats: of the value, and of every fold as often as it is made.
Dim flops_of(const Kernel& kernel);

std::string to_string(const Kernel& kernel);  // several lines, for people

}  // namespace pet::gpu
