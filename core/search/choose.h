// Which of the measured candidates go into one program. A candidate may read and yield values in
// another order of axes; where neighbours disagree somebody has to transpose, so places are not
// chosen one by one but together (PET, Algorithm 2; theory of the cost: the sum of what the
// candidates save, less the transposes between them).
#pragma once

#include <functional>
#include <vector>

#include "core/analysis/axis_order.h"
#include "core/program/subprogram.h"

namespace pet {

// Something that computes a place's outputs from its inputs.
struct Alternative {
  double saved_ms = 0;  // against the operators that stand there
  std::vector<AxisOrder> inputs, outputs;
};

struct PlaceAlternatives {
  const Subprogram* place = nullptr;  // of the program; places may share nodes
  std::vector<Alternative> alternatives;
};

struct Selection {
  struct Made {
    std::size_t place = 0;
    std::size_t alternative = 0;
  };
  struct Transposed {
    NodeId value;
    Shape shape;      // as it stands
    AxisOrder order;  // by which it is transposed
  };
  std::vector<Made> made;  // no two of places that share a node
  std::vector<Transposed> transposed;
  double saved_ms = 0;  // of all together, transposes paid for
};

// What it costs to transpose a tensor of this shape, in milliseconds.
using TransposeCost = std::function<double(const Shape&, const AxisOrder&)>;

// The best selection: exact along the program (dynamic programming over the orders in which the
// values alive at a time are there), as long as there are no more than `kMostStates` of them at a
// time; then the cheapest of those.
inline constexpr std::size_t kMostStates = 4096;
Selection choose(const Graph& program, const std::vector<PlaceAlternatives>& places,
                 const TransposeCost& transpose_ms);

}  // namespace pet
