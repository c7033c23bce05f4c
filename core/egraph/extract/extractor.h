// Extractors by their names: one way to ask any of them, and what came of it.
#pragma once

#include <optional>
#include <string>

#include "core/egraph/extract/problem.h"
#include "core/egraph/ilp_solver.h"
#include "core/egraph/options.h"

namespace pet::egraph {

struct ExtractorAnswer {
  Choice choice;
  // By cost_of_choice. Nothing: what it chose needs itself (OCF may).
  std::optional<double> cost;
  std::optional<double> estimate;  // as it counts itself, where that differs
  std::optional<double> bound;     // no choice costs less, where it knows
  bool is_optimal = false;
  std::string why;                    // where an optimum was asked for and is none
  std::size_t columns = 0, rows = 0;  // of the integer program, after what can be left out
  double seconds = 0;
};

// REQUIRES: check(problem); a solver for Ilp, which begins with the choice of Dag
ExtractorAnswer extract(const Problem& problem, Extractor extractor, IlpSolver* solver,
                        const IlpLimits& limits, std::stop_token stop);

}  // namespace pet::egraph
