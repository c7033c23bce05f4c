#include "verify/smt/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "verify/values/step_limit.h"

namespace pet::smt {
namespace {

using std::chrono::milliseconds;

// "(:rlimit 35)"
std::optional<std::size_t> resources_in(std::string_view line) {
  constexpr std::string_view kStart = "(:rlimit ";
  if (!line.starts_with(kStart)) return std::nullopt;
  line.remove_prefix(kStart.size());
  std::size_t out = 0;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), out);
  if (failure != std::errc() || end == line.data() + line.size() || *end != ')')
    return std::nullopt;
  return out;
}

}  // namespace

Result<Solver> Solver::start(const std::string& program, milliseconds time, StepBudget budget,
                             std::stop_token stop) {
  // Its own limit stands behind ours: it must not outlive us by much.
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count() + 5;
  std::vector<std::string> command = {program, "-in", "-smt2", fmt::format("-T:{}", seconds),
                                      "-memory:2048"};
  if (budget.most) {
    // Of one command, and 0 would be none at all; what all take together is looked at in between.
    constexpr std::size_t kMost = 4'000'000'000;
    const std::size_t left = *budget.most - std::min(*budget.most, budget.taken);
    command.push_back(fmt::format("rlimit={}", std::clamp<std::size_t>(left, 1, kMost)));
  }
  auto process = ChildProcess::start(command);
  if (!process) return std::move(process).error();
  return Solver(*std::move(process), Clock::now() + time, budget, std::move(stop));
}

milliseconds Solver::left() const {
  return std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
}

Status Solver::tell(std::string_view command) {
  if (left() <= milliseconds(0)) return Error{"no time left", ErrorKind::Tool};
  return process_.send(command, left(), stop_);
}

Result<Answer> Solver::can_hold() {
  auto told = tell(fmt::format("(set-option :timeout {})", left().count()));
  if (told) told = tell("(check-sat)");
  if (!told) return std::move(told).error();
  const auto line = process_.receive(left() + milliseconds(500), stop_);
  if (!line) return line.error();
  if (auto within = look_at_steps(*line); !within) return std::move(within).error();
  if (*line == "unsat") return Answer::No;
  if (*line == "sat") return Answer::Yes;
  if (*line == "unknown" || *line == "timeout") return Answer::Unknown;
  return Error{fmt::format("it says: {}", line->substr(0, 200)), ErrorKind::Tool};
}

Result<Answer> Solver::can_hold(std::string_view assertion) {
  for (const std::string_view command : {std::string_view("(push)"), assertion}) {
    if (auto done = tell(command); !done) return std::move(done).error();
  }
  auto found = can_hold();
  if (auto done = tell("(pop)"); !done) return std::move(done).error();
  return found;
}

// What it said to a question, with which it may have come to its own limit.
Status Solver::look_at_steps(const std::string& said) {
  if (!budget_.most) return Done{};
  const bool cut_short = said.find("resource limit") != std::string::npos ||
                         said.find("canceled") != std::string::npos;
  if (cut_short) return more_than_steps(*budget_.most);
  if (said.starts_with("(error")) return Done{};  // the caller's affair
  if (auto told = tell("(get-info :rlimit)"); !told) return told;
  const auto line = process_.receive(left() + milliseconds(500), stop_);
  if (!line) return line.error();
  const auto resources = resources_in(*line);
  if (!resources) return Error{fmt::format("it says: {}", line->substr(0, 200)), ErrorKind::Tool};
  if (budget_.taken + *resources > *budget_.most) return more_than_steps(*budget_.most);
  return Done{};
}

}  // namespace pet::smt
