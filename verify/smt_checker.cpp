#include "verify/smt_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/backend/process.h"
#include "verify/interface.h"
#include "verify/verdict_report.h"

namespace pet {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kUndecided =
    "the solver finds values that tell the results apart, but no inputs were found that do";

enum class Answer { Equal, Different, Unknown };

// Z3, spoken to in lines.
class Solver {
 public:
  static Result<Solver> start(const std::string& program, milliseconds time, std::stop_token stop) {
    // Its own limit stands behind ours: it must not outlive us by much.
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count() + 5;
    auto process = ChildProcess::start(
        {program, "-in", "-smt2", fmt::format("-T:{}", seconds), "-memory:2048"});
    if (!process) return std::move(process).error();
    return Solver(*std::move(process), Clock::now() + time, std::move(stop));
  }

  Status tell(std::string_view command) { return process_.send(command, left(), stop_); }

  // Whether the assertions so far can hold together.
  Result<Answer> can_hold() {
    if (left() <= milliseconds(0)) return Error{"no time left", ErrorKind::Tool};
    auto told = tell(fmt::format("(set-option :timeout {})", left().count()));
    if (told) told = tell("(check-sat)");
    if (!told) return std::move(told).error();
    const auto line = process_.receive(left() + milliseconds(500), stop_);
    if (!line) return line.error();
    if (*line == "unsat") return Answer::Equal;
    if (*line == "sat") return Answer::Different;
    if (*line == "unknown" || *line == "timeout") return Answer::Unknown;
    return Error{fmt::format("it says: {}", line->substr(0, 200)), ErrorKind::Tool};
  }

 private:
  Solver(ChildProcess process, Clock::time_point deadline, std::stop_token stop)
      : process_(std::move(process)), deadline_(deadline), stop_(std::move(stop)) {}

  milliseconds left() const {
    return std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  }

  ChildProcess process_;
  Clock::time_point deadline_;
  std::stop_token stop_;
};

class SmtProof {
 public:
  SmtProof(const Graph& original, const Graph& mutant, const ProofOptions& options,
           const smt::Limits& limits)
      : original_(original),
        mutant_(mutant),
        options_(options),
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
    auto solver = Solver::start(program, time, options_.stop);
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
      const auto all = ask(fmt::format("(assert (or{}))", any), solver);
      if (!all) return all.error();
      if (*all == Answer::Equal) open.clear();
    }
    for (const std::size_t i : open) {
      const auto found = ask(fmt::format("(assert (not (= {} {})))", a[i], b[i]), solver);
      if (!found) return found.error();
      if (*found == Answer::Equal) continue;
      marks[i] = static_cast<char>(Mark::Undecided);
      certain[i] = *found == Answer::Different && script_.is_of_inputs_only() ? 1 : 0;
    }
    out.undecided = std::count(marks.begin(), marks.end(), static_cast<char>(Mark::Undecided));
    out.equal = out.elements - out.undecided;
    out.outcome = out.undecided == 0 ? Outcome::Equivalent : Outcome::Unknown;
    return Done{};
  }

  static Result<Answer> ask(const std::string& assertion, Solver& solver) {
    for (const std::string& command : {std::string("(push)"), assertion}) {
      if (auto done = solver.tell(command); !done) return std::move(done).error();
    }
    auto found = solver.can_hold();
    if (auto done = solver.tell("(pop)"); !done) return std::move(done).error();
    return found;
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
  smt::Script script_;
  Verdict verdict_;
  Marks marks_;
  std::vector<std::vector<char>> certain_;  // by output and position: it differs, says the solver
  bool domain_ = true;
};

}  // namespace

Verdict SmtChecker::check(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  return SmtProof(original, mutant, options, limits_).run(solver_, time_);
}

}  // namespace pet
