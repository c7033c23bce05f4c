// A nest of loops of which only those points are kept that can yield something: where all guards
// hold and no operand is read beyond its border. Whatever is left out is zero.
#pragma once

#include <vector>

#include "core/eval/columns.h"

namespace pet {

class LiveNest {
 public:
  // It will be asked where points of the first `remembered` loops stood.
  LiveNest(LoopExtents loops, std::vector<Indices> indices, std::size_t remembered)
      : axes(std::move(indices)), extents_(std::move(loops)), remembered_(remembered) {}

  const LoopExtents& extents() const { return extents_; }
  std::vector<Indices> axes;     // of the term that is evaluated
  std::vector<Indices> index;    // of the factor that is read next
  std::vector<Residues> values;  // of the factors so far

  // Leaves out points, here and in every column. Where they depend on several loops, those become
  // one, in the place of the outermost. false: none is left, and this is of no more use.
  template <class T, class F>
  bool keep_where(const Column<T>& column, F holds) {
    return std::all_of(column.values.begin(), column.values.end(), holds) ||
           keep(mapped<char>(column, holds));
  }

  // For each point of loop 0 the one it was before any was left out.
  std::size_t row(std::size_t i) const {
    if (origins_.empty()) return i;
    const auto& rows = origins_.front()->values;
    return static_cast<std::size_t>(rows.size() == 1 ? rows.front() : rows[i]);
  }
  // A column over the nest as it was before any point was left out: zero there. REQUIRES: all loops
  // are remembered
  Residues spread(const Residues& column) const;

 private:
  bool keep(const Column<char>& alive);
  void remember_origins();

  LoopExtents extents_;
  std::size_t remembered_;
  LoopExtents first_extents_;     // before any point was left out; empty if none was
  std::vector<Indices> origins_;  // for each of those loops, where along it the points stood
  LoopSet restricted_ = 0;        // those of which points were left out
};

}  // namespace pet
