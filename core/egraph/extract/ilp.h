// The cheapest choice there is, as an integer linear program (TENSAT, MLSys'21, section 4): one
// column a node; the class of a root takes one of its nodes, and a node that is taken needs one of
// each child's. What cannot be part of a better choice is left out before, and that no value needs
// itself is asked for only where it could: classes that reach each other have an order.
#pragma once

#include "core/egraph/extract/problem.h"
#include "core/egraph/ilp_solver.h"

namespace pet::egraph {

struct IlpExtraction {
  Choice choice;     // never dearer than the one that it began with
  double cost = 0;   // by cost_of_choice
  double bound = 0;  // no choice costs less
  bool is_optimal = false;
  double seconds = 0;  // of the solver
  std::string why;     // where it is not: out of time, no solver, an answer that is no choice
  std::size_t columns = 0, rows = 0;
};

// `start`: a choice that cost_of_choice accepts. REQUIRES: check(problem)
IlpExtraction extract_ilp(const Problem& problem, const Choice& start, IlpSolver& solver,
                          const IlpLimits& limits, std::stop_token stop);

}  // namespace pet::egraph
