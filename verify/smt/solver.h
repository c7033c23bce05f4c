// Z3 in a process of its own, spoken to in lines of SMT-LIB.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/backend/process.h"
#include "core/util/result.h"

namespace pet::smt {

// Whether something can be.
enum class Answer { No, Yes, Unknown };

// The steps that may be taken, and those that were taken before the solver was started.
struct StepBudget {
  std::optional<std::size_t> most;
  std::size_t taken = 0;
};

class Solver {
 public:
  // `time`: of all questions together.
  static Result<Solver> start(const std::string& program, std::chrono::milliseconds time,
                              StepBudget budget, std::stop_token stop);

  Status tell(std::string_view command);
  // Whether the assertions so far can hold together.
  Result<Answer> can_hold();
  // Whether they can together with one more, which is forgotten again.
  Result<Answer> can_hold(std::string_view assertion);

 private:
  using Clock = std::chrono::steady_clock;

  Solver(ChildProcess process, Clock::time_point deadline, StepBudget budget, std::stop_token stop)
      : process_(std::move(process)),
        deadline_(deadline),
        budget_(budget),
        stop_(std::move(stop)) {}
  Status look_at_steps(const std::string& said);
  std::chrono::milliseconds left() const;

  ChildProcess process_;
  Clock::time_point deadline_;
  StepBudget budget_;
  std::stop_token stop_;
};

}  // namespace pet::smt
