// How long proofs at all sizes take: every rule of the files that are named (else the bundled
// ones), by the prover and by the solver.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "verify/all_sizes/prove.h"
#include "verify/all_sizes/solver_question.h"
#include "verify/rules/rule_family.h"
#include "verify/smt/solver.h"

using namespace pet;

namespace {

struct Times {
  std::size_t proved = 0;
  std::vector<double> milliseconds;

  void add(bool is_proved, std::chrono::steady_clock::time_point since) {
    proved += is_proved ? 1U : 0U;
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - since;
    if (is_proved) milliseconds.push_back(taken.count());
  }
  void print(const char* who) {
    if (milliseconds.empty()) return;
    std::sort(milliseconds.begin(), milliseconds.end());
    fmt::print("  {}: {} proved, median {:.2f} ms, at most {:.2f} ms\n", who, proved,
               milliseconds[milliseconds.size() / 2], milliseconds.back());
  }
};

bool solver_proves(const all_sizes::SolverQuestion& question) {
  auto solver = smt::Solver::start("z3", std::chrono::seconds(10), {}, {});
  if (!solver) return false;
  for (const std::string& command : question.commands) {
    if (!solver->tell(command)) return false;
  }
  return std::all_of(question.differences.begin(), question.differences.end(),
                     [&](const std::string& difference) {
                       const auto answer = solver->can_hold(difference);
                       return answer && *answer == smt::Answer::No;
                     });
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty()) {
    for (const char* name : {"taso_graph_subst", "taso_properties", "tensat_rules"})
      files.push_back(fmt::format("{}/{}.json", PET_RULES, name));
  }
  for (const std::string& name : files) {
    const auto file = rules::read_rules(name);
    if (!file) {
      fmt::print(stderr, "{}\n", file.error().message);
      return 2;
    }
    Times prover;
    Times solver;
    for (const rules::Rule& rule : file->rules) {
      auto start = std::chrono::steady_clock::now();
      const auto family = rules::family_of(rule);
      if (!family) continue;
      const auto pair = all_sizes::sized_pair(*family, all_sizes::Constants::Numbers);
      if (!pair) continue;
      prover.add(all_sizes::prove_for_all_sizes(*family, *pair).ok(), start);
      start = std::chrono::steady_clock::now();
      const auto question = all_sizes::solver_question(*family, *pair);
      if (question) solver.add(solver_proves(*question), start);
    }
    fmt::print("{}: {} rules\n", name, file->rules.size());
    prover.print("prover");
    solver.print("solver");
  }
  return 0;
}
