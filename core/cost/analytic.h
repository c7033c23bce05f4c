// What a program has to do, derived from the meanings of its operators, and a rough estimate of the
// time that takes. The estimate orders candidates; what decides is measured.
#pragma once

#include "core/ir/graph.h"

namespace pet {

struct Work {
  double multiply_adds = 0;
  double element_functions = 0;  // evaluations, and elements looked at by windows
  double bytes_read = 0;
  double bytes_written = 0;
  std::size_t operators = 0;

  Work& operator+=(const Work& other);
};

Work work_of(const Graph& graph);             // what constants alone decide is done ahead of time
Work work_of(const Graph& graph, NodeId id);  // of one node; nothing of a leaf

// A desktop core running a good runtime on float32: wide fused multiply-adds at about half their
// peak, memory shared by few threads, vectorised element functions, and what a runtime spends to
// call one operator.
struct MachineModel {
  double multiply_adds_per_ms = 40e6;     // of one thread
  double element_functions_per_ms = 1e6;  // of one thread
  double bytes_per_ms = 10e6;             // of one thread
  double ms_per_operator = 0.005;         // however many threads
  double threads = 1;
};

double analytic_ms(const Work& work, const MachineModel& machine);

// The result is the only operand in row-major order: a runtime renames it and moves nothing.
bool is_free_view(const Graph& graph, NodeId id);

}  // namespace pet
