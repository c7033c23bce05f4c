// The windows of an application: which axes of the output tell them apart (all rows of a softmax
// share one window), and where their elements are read.
#pragma once

#include <vector>

#include "core/ir/meaning.h"

namespace pet {

struct WindowPlan {
  Shape distinct;                      // extents of the axes that tell windows apart, 1 elsewhere
  std::size_t windows = 0;             // how many there are
  std::size_t width = 0;               // elements of one, holes included
  std::vector<Dim> offsets;            // windows x width into the flat operand; -1 a hole
  std::vector<std::size_t> of_output;  // for each output position the number of its window
};

// REQUIRES: application.window
WindowPlan plan_windows(const Application& application, const Shape& operand);

// The offsets of a single read at every position of `loops`; -1 outside.
std::vector<Dim> read_offsets(const Access& access, const std::vector<Guard>& guards,
                              const Shape& loops, const Shape& operand);

}  // namespace pet
