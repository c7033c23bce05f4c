#include "core/search/recorded_solver.h"

namespace pet {
namespace {

SolverAnswered told(const std::string& program, const Result<egraph::IlpAnswer>& answer) {
  SolverAnswered out;
  out.program = program;
  if (!answer) {
    out.error = answer.error().message;
    return out;
  }
  out.is_optimal = answer->end == egraph::IlpEnd::Optimal;
  out.columns = answer->values.size();
  for (std::size_t i = 0; i < answer->values.size(); ++i) {
    if (answer->values[i] == 0) continue;
    out.taken.push_back(i);
    out.values.push_back(answer->values[i]);
  }
  out.bound = answer->bound;
  out.seconds = answer->seconds;
  return out;
}

// Journals are anybody's: columns that there are not make it an answer that is no choice.
Result<egraph::IlpAnswer> given(const SolverAnswered& answer) {
  if (!answer.error.empty()) return Error{answer.error, ErrorKind::Tool};
  constexpr std::size_t kMostColumns = 100'000'000;
  if (answer.columns > kMostColumns || answer.taken.size() != answer.values.size())
    return Error{"the journal's answer of the solver is none", ErrorKind::Malformed};
  egraph::IlpAnswer out;
  out.end = answer.is_optimal ? egraph::IlpEnd::Optimal : egraph::IlpEnd::OutOfTime;
  out.values.resize(answer.columns);
  for (std::size_t i = 0; i < answer.taken.size(); ++i) {
    if (answer.taken[i] >= answer.columns)
      return Error{"the journal's answer of the solver is none", ErrorKind::Malformed};
    out.values[answer.taken[i]] = answer.values[i];
  }
  out.bound = answer.bound;
  out.seconds = answer.seconds;
  return out;
}

}  // namespace

Result<egraph::IlpAnswer> TellingSolver::solve(const egraph::IlpModel& model,
                                               const std::vector<double>& start,
                                               const egraph::IlpLimits& limits,
                                               std::stop_token stop) {
  auto answer = solver_ == nullptr ? Result<egraph::IlpAnswer>(Error{
                                         "there is no solver of integer programs", ErrorKind::Tool})
                                   : solver_->solve(model, start, limits, stop);
  // What a stop cut short has not happened.
  if (!stop.stop_requested()) sink_(told(digest_of(model).hex(), answer));
  return answer;
}

ReplayedSolver::ReplayedSolver(const std::vector<SolverAnswered>& told, egraph::IlpSolver* live)
    : live_(live) {
  for (const SolverAnswered& answer : told) told_[answer.program].push_back(answer);
}

Result<egraph::IlpAnswer> ReplayedSolver::solve(const egraph::IlpModel& model,
                                                const std::vector<double>& start,
                                                const egraph::IlpLimits& limits,
                                                std::stop_token stop) {
  const auto known = told_.find(digest_of(model).hex());
  if (known != told_.end() && !known->second.empty()) {
    const SolverAnswered answer = std::move(known->second.front());
    known->second.pop_front();
    return given(answer);
  }
  if (live_ == nullptr)
    return Error{"the journal has no such answer of the solver", ErrorKind::Stopped};
  return live_->solve(model, start, limits, std::move(stop));
}

}  // namespace pet
