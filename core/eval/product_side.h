// Where the rows or the columns of a product lie in their operand.
#pragma once

#include <vector>

#include "core/eval/contraction.h"

namespace pet {

// One side of a product, before its position in the batch is known.
class ProductSide {
 public:
  // REQUIRES: all of them outlive this
  ProductSide(const TermPlan& plan, const ReadPlan& read, const std::vector<Check>& guards,
              const FlatLoops& lines, const FlatLoops& depth, const FlatLoops& batch);

  // At a position of the batch: the sums of the read and of its checks.
  struct Base {
    Dim offset = 0;
    std::vector<Dim> values;
  };
  Base at(const std::vector<Dim>& batch) const;

  // What each line adds to an offset.
  const std::vector<Dim>& line_offsets() const { return line_offset_; }

  // Offsets of lines [first, first + count) at depth k; -1 outside.
  void offsets(const Base& base, std::size_t k, std::size_t first, std::size_t count,
               Dim* out) const;

 private:
  struct Checked {
    const Check* check;
    std::vector<Dim> along_lines;
    std::vector<Dim> along_depth;
    std::vector<Dim> least, greatest;  // of each block of lines
  };

  const ReadPlan& read_;
  const FlatLoops& batch_;
  std::vector<Checked> checks_;  // of the read and the guards of this side
  std::vector<Dim> line_offset_, depth_offset_;
};

// Whether offsets follow one another, none of them outside.
bool is_run(const Dim* offsets, std::size_t count);

}  // namespace pet
