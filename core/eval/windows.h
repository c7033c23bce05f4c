// The windows of an application: which axes of the output tell them apart (all rows of a softmax
// share one window), and where their elements are read.
#pragma once

#include <vector>

#include "core/eval/term_plan.h"
#include "core/ir/meaning.h"

namespace pet {

struct WindowCode {
  Shape distinct;           // extents of the axes that tell windows apart, 1 elsewhere
  std::size_t windows = 0;  // how many there are
  std::size_t width = 0;    // elements of one, holes included
  TermPlan read;            // over the loops of `distinct`, then those of a window
};

// The extents of the axes that tell windows apart, 1 elsewhere. REQUIRES: application.window
Shape distinct_windows(const Application& application);

// REQUIRES: application.window
WindowCode compile_window(const Application& application, const Shape& operand);

struct WindowPlan {
  std::size_t windows = 0;
  std::size_t width = 0;
  std::vector<Dim> offsets;            // windows x width into the flat operand; -1 a hole
  std::vector<std::size_t> of_output;  // for each output position the number of its window
};

// `out`: the shape of the application.
WindowPlan plan_windows(const WindowCode& code, const Shape& out);

// The offsets of a lone read at every point of its loops; -1 outside.
std::vector<Dim> read_offsets(const TermPlan& plan);

}  // namespace pet
