// What is measured: a subprogram with its neighbours, as ONNX files. A layer alone lies; what a
// runtime does with it depends on the operators around it, which it fuses.
#pragma once

#include "core/ir/graph.h"
#include "core/program/subprogram.h"

namespace pet {

struct MeasuredWindow {
  Graph original;
  std::vector<NodeId> inputs;  // of the subprogram, in `original`
  std::vector<NodeId> outputs;
};

// Movable: only operators that run in any order of axes (core/analysis/rearranged), so that a
// candidate that keeps its values in another order is not charged for what its neighbours want.
enum class Neighbours { All, Movable };

// The subprogram with the operators up to `reach` steps before and behind it.
MeasuredWindow measured_window(const Graph& source, const Subprogram& subprogram, std::size_t reach,
                               Neighbours neighbours);

}  // namespace pet
