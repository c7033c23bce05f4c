// HiGHS behind the protocol of app/solver_worker: an IlpSolver whose crashes, hangs and refusals
// are Errors. After one the worker is gone; the next question starts another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/process.h"
#include "core/egraph/ilp_solver.h"

namespace pet {

// How to start the worker: {python, worker.py}. PET_PYTHON and PET_SOLVER win; else the worker is
// the pet-solver installed beside this program or that of the source tree.
Result<std::vector<std::string>> solver_command();

class Highs final : public egraph::IlpSolver {
 public:
  // `command`: as solver_command() gives it; empty: that one, once something is asked.
  explicit Highs(std::vector<std::string> command = {}) : command_(std::move(command)) {}

  Result<egraph::IlpAnswer> solve(const egraph::IlpModel& model, const std::vector<double>& start,
                                  const egraph::IlpLimits& limits, std::stop_token stop) override;

 private:
  Status ensure_worker(const std::stop_token& stop);

  std::vector<std::string> command_;
  std::optional<ChildProcess> worker_;
  std::uint64_t next_request_ = 1;
};

}  // namespace pet
