#include "verify/smt/smt_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "verify/smt/solver.h"
#include "verify/values/interface.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kUndecided =
    "the solver finds values that tell the results apart, but no inputs were found that do";

using smt::Answer;
using smt::Solver;

class SmtProof {
 public:
  SmtProof(const Graph& original, const Graph& mutant, const ProofOptions& options,
           const smt::Limits& limits)
      : original_(original),
        mutant_(mutant),
        options_(options),
        most_steps_(limits.steps),
        script_(original, options.bind_weights, limits, options.stop) {
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
  }

  Verdict run(const std::string& program, milliseconds time) {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      verdict_.outcome = Outcome::ShapeMismatch;
      verdict_.reason = std::move(mismatch);
      return std::move(verdict_);
    }
    if (auto done = compare(program, time); !done) {
      Verdict unknown;
      unknown.reason = done.error().message;
      return unknown;
    }
    decide();
    verdict_.outcome = combined(verdict_.outputs);
    return std::move(verdict_);
  }

 private:
  Status compare(const std::string& program, milliseconds time) {
    auto a = script_.add(original_);
    if (!a) return std::move(a).error();
    const std::set<smt::Expression> theirs = script_.partial();
    auto b = script_.add(mutant_);
    if (!b) return std::move(b).error();
    domain_ = std::includes(theirs.begin(), theirs.end(), script_.partial().begin(),
                            script_.partial().end());
    if (auto done = ask_solver(*a, *b, program, time); !done)
      return std::move(done).error().within(fmt::format("the solver {}", program));
    return Done{};
  }

  Status ask_solver(const std::vector<std::vector<smt::Expression>>& a,
                    const std::vector<std::vector<smt::Expression>>& b, const std::string& program,
                    milliseconds time) {
    auto solver = Solver::start(program, time, {most_steps_, script_.steps()}, options_.stop);
    if (!solver) return std::move(solver).error();
    if (auto done = solver->tell("(set-option :print-success false)"); !done) return done;
    for (const std::string& command : script_.commands()) {
      if (auto done = solver->tell(command); !done) return done;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (auto done = compare_output(a[i], b[i], i, *solver); !done) return done;
    }
    return Done{};
  }

  // First whether any element can differ; only then which.
  Status compare_output(const std::vector<smt::Expression>& a,
                        const std::vector<smt::Expression>& b, std::size_t number, Solver& solver) {
    const Node& node = original_.node(original_.outputs()[number]);
    OutputVerdict& out = verdict_.outputs.emplace_back();
    out.name = node.name;
    out.wrong.basis = DigitBasis::plain(*node.type.shape);
    out.elements = static_cast<Dim>(a.size());
    std::vector<char>& marks = marks_.emplace_back(a.size(), static_cast<char>(Mark::Equal));
    std::vector<char>& certain = certain_.emplace_back(a.size(), 0);
    std::vector<std::size_t> open;
    std::string any;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      open.push_back(i);
      any += fmt::format(" (not (= {} {}))", a[i], b[i]);
    }
    if (!open.empty()) {
      const auto all = solver.can_hold(fmt::format("(assert (or{}))", any));
      if (!all) return all.error();
      if (*all == Answer::No) open.clear();
    }
    for (const std::size_t i : open) {
      const auto found = solver.can_hold(fmt::format("(assert (not (= {} {})))", a[i], b[i]));
      if (!found) return found.error();
      if (*found == Answer::No) continue;
      marks[i] = static_cast<char>(Mark::Undecided);
      certain[i] = *found == Answer::Yes && script_.is_of_inputs_only() ? 1 : 0;
    }
    out.undecided = std::count(marks.begin(), marks.end(), static_cast<char>(Mark::Undecided));
    out.equal = out.elements - out.undecided;
    out.outcome = out.undecided == 0 ? Outcome::Equivalent : Outcome::Unknown;
    return Done{};
  }

  void decide() {
    const auto differ = [&](std::size_t i, std::size_t k) { return certain_[i][k] != 0; };
    pet::decide(original_, mutant_, "smt", options_, differ, marks_, verdict_.outputs);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      OutputVerdict& out = verdict_.outputs[i];
      describe(mutant_, i, marks_[i], kUndecided, out);
      if (options_.in_detail) keep_positions(marks_[i], out);
      if (verdict_.reason.empty()) verdict_.reason = out.reason;
    }
    if (!domain_)
      withhold(verdict_,
               "domain: a partial function is applied where the original does not apply it");
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  std::optional<std::size_t> most_steps_;
  smt::Script script_;
  Verdict verdict_;
  Marks marks_;
  std::vector<std::vector<char>> certain_;  // by output and position: it differs, says the solver
  bool domain_ = true;
};

}  // namespace

Verdict SmtEngine::check(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  return SmtProof(original, mutant, options, limits_).run(solver_, time_);
}

}  // namespace pet
