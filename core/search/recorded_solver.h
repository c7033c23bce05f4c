// Answers of a solver of integer programs, told as events and given again from them.
#pragma once

#include <deque>
#include <map>

#include "core/egraph/ilp_solver.h"
#include "core/search/events.h"

namespace pet {

// Tells what another one answers.
class TellingSolver final : public egraph::IlpSolver {
 public:
  // `solver`: null: there is none, which is told, too. REQUIRES: it outlives this
  TellingSolver(egraph::IlpSolver* solver, EventSink sink)
      : solver_(solver), sink_(std::move(sink)) {}
  Result<egraph::IlpAnswer> solve(const egraph::IlpModel& model, const std::vector<double>& start,
                                  const egraph::IlpLimits& limits, std::stop_token stop) override;

 private:
  egraph::IlpSolver* solver_;
  EventSink sink_;
};

// Answers what was told; what never was is asked of another one, or is an Error where there is
// none.
class ReplayedSolver final : public egraph::IlpSolver {
 public:
  // `live`: may be null
  ReplayedSolver(const std::vector<SolverAnswered>& told, egraph::IlpSolver* live);
  Result<egraph::IlpAnswer> solve(const egraph::IlpModel& model, const std::vector<double>& start,
                                  const egraph::IlpLimits& limits, std::stop_token stop) override;

 private:
  std::map<std::string, std::deque<SolverAnswered>> told_;
  egraph::IlpSolver* live_;
};

}  // namespace pet
