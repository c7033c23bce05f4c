#include "verify/bitmap/bitmap_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/ir/needed.h"
#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/bitmap/domain.h"
#include "verify/bitmap/objections.h"
#include "verify/bitmap/proof_plan.h"
#include "verify/bitmap/residue_comparison.h"
#include "verify/values/idle.h"
#include "verify/values/interface.h"
#include "verify/verdict/replay.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

constexpr std::string_view kUndecided =
    "residues differ, but no inputs were found at which the results do";

Verdict unknown(std::string reason) {
  Verdict verdict;
  verdict.outcome = Outcome::Unknown;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict stopped() { return unknown("stopped before the proof was finished"); }

class Proof {
 public:
  Proof(const Graph& original, const Graph& mutant, const ProofOptions& options,
        std::optional<std::size_t> most_steps)
      : original_(original),
        mutant_(mutant),
        code_(original, mutant),
        options_(options),
        most_steps_(most_steps),
        values_(original, mutant,
                options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols),
        computed_(values_) {}

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      Verdict verdict;
      verdict.outcome = Outcome::ShapeMismatch;
      verdict.reason = std::move(mismatch);
      return verdict;
    }
    verdict_.reproduced = options_.proof_seed.has_value() && !options_.seed_is_fresh;
    verdict_.proof_seed =
        options_.proof_seed ? *options_.proof_seed : std::to_string(fresh_entropy().word());
    while (computed_.next_of_mutant()) continue;
    // What a certificate holds beside the files is bound to a test: then there has to be one.
    if (options_.certified_text == nullptr && is_identical()) return verdict_;
    if (auto status = plan(); !status) {
      if (status.error().kind == ErrorKind::Stopped) return stopped();
      return unknown(status.error().message);
    }
    if (options_.first_difference) {
      const auto differ = differ_at_a_glance();
      if (differ && *differ) return verdict_;
      if (!differ && differ.error().kind == ErrorKind::Stopped) return stopped();
    }
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto status = compare(draw);
      if (status) {
        // An objection that was not looked for to the end is not none.
        if (options_.stop.stop_requested()) return stopped();
        finish();
        const bool is_open = verdict_.outcome == Outcome::Unknown;
        return is_open && options_.stop.stop_requested() ? stopped() : verdict_;
      }
      if (status.error().kind == ErrorKind::Stopped) return stopped();
      verdict_.reason = status.error().message;
    }
    return unknown(verdict_.reason);
  }

  // The record of the test that run() would make, of the original's values alone.
  Result<TestRecord> record() {
    verdict_.proof_seed =
        options_.proof_seed ? *options_.proof_seed : std::to_string(fresh_entropy().word());
    while (computed_.next_of_mutant()) continue;
    if (auto status = plan(); !status) return std::move(status).error();
    Status status = Done{};
    for (int draw = 0; draw < kDraws; ++draw) {
      const Digest key = secret(draw);
      ResidueComparison residues(code_, values_, bound(key), plan_.primes, options_);
      status = record(key, residues);
      if (status) return *std::move(verdict_.test);
      if (status.error().kind == ErrorKind::Stopped) break;
    }
    return std::move(status).error();
  }

 private:
  // A prime that divides a coefficient's denominator is bad luck worth one more draw, not an
  // answer.
  static constexpr int kDraws = 3;

  Digest secret(int draw) const {
    return Digester("proof")
        .add(verdict_.proof_seed)
        .add(original_.digest())
        .add(mutant_.digest())
        .add(static_cast<std::uint64_t>(options_.bind_weights))
        .add(std::bit_cast<std::uint64_t>(options_.log2_error))
        .add(static_cast<std::uint64_t>(draw))
        .finish();
  }

  // What is drawn from for the test of that seed (certificate_checker/README.md, The test).
  Digest bound(const Digest& key) const {
    if (options_.certified_text == nullptr) return key;
    return Digester("weight programs").add(key).add(*options_.certified_text).finish();
  }

  // The same operators on the same operands give the outputs, and there is none of which we know
  // nothing beside: nothing to be computed.
  bool is_identical() {
    for (const NodeId id : mutant_.ids()) {
      const ValueId value = computed_.of_mutant(id);
      if (computed_.is_new(value) && is_opaque(computed_.node(value))) return false;
    }
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      const ValueId theirs = computed_.of_original(original_.outputs()[i]);
      if (theirs != computed_.of_mutant(mutant_.outputs()[i])) return false;
    }
    begin_outputs();
    verdict_.outcome = Outcome::Equivalent;
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
    return true;
  }

  // Whether one prime tells them apart, and one run of each shows it.
  Result<bool> differ_at_a_glance() {
    begin_outputs();
    const Digest key = Digester("glance").add(secret(0)).finish();
    if (auto status = compare_once(key, Comparison::Glance); !status) return status.error();
    glance(code_, seed_of_witnesses(), options_, marks_, verdict_.outputs);
    if (!has_witness(verdict_.outputs)) return false;
    verdict_.primes = 1;
    leave_open(verdict_, "only the first difference was asked for");
    verdict_.outcome = combined(verdict_.outputs);
    return true;
  }

  Digest seed_of_witnesses() const { return Digester("replay").add(verdict_.proof_seed).finish(); }

  Status plan() {
    const auto planned =
        plan_proof(original_, mutant_, computed_, options_.log2_error, most_steps_, options_.stop);
    if (!planned) return planned.error();
    const ErrorBound& bound = planned->bound;
    plan_ = planned->comparisons;
    verdict_.primes = plan_.comparisons * plan_.primes;
    verdict_.log2_error = plan_.log2_error;
    if (options_.record_test) {
      verdict_.test = TestRecord{.seed = {},
                                 .primes = {},
                                 .degree = bound.degree,
                                 .length_blocks = bound.length_blocks(),
                                 .elements = bound.elements,
                                 .log2_error = bound.log2_error(plan_.primes),
                                 .ends = {}};
    }
    return Done{};
  }

  // As often as the error asked for takes; what one of them finds different is not equal.
  Status compare(int draw) {
    const Digest key = secret(draw);
    begin_outputs();
    if (auto status = compare_once(key, Comparison::First); !status) return status;
    for (std::size_t i = 1; i < plan_.comparisons && objection_.empty() && claims_anything(); ++i) {
      const Digest again = Digester("again").add(key).add(std::uint64_t{i}).finish();
      if (auto status = compare_once(again, Comparison::Again); !status) return status;
    }
    return Done{};
  }

  bool claims_anything() const {
    return std::any_of(verdict_.outputs.begin(), verdict_.outputs.end(),
                       [](const OutputVerdict& out) {
                         return out.equal > 0 || out.outcome == Outcome::Equivalent;
                       });
  }

  // Again: nothing is written down, and rounding has been looked at. Glance: one prime and no more.
  enum class Comparison { Glance, First, Again };

  Status compare_once(const Digest& key, Comparison which) {
    const std::size_t primes = which == Comparison::Glance ? 1 : plan_.primes;
    ResidueComparison residues(code_, values_, bound(key), primes, options_);
    if (auto status = compare_all(residues); !status) return status;
    if (which == Comparison::Glance) return Done{};
    if (which == Comparison::Again) {
      auto objection = objection_to_domain(found(), residues.table(), residues.store());
      if (!objection) return std::move(objection).error();
      objection_ = *std::move(objection);
      return Done{};
    }
    if (!claims_anything()) return Done{};
    if (auto status = record(key, residues); !status) return status;
    auto objection =
        objection_to_all(found(), {original_, mutant_, residues.table(), residues.store(),
                                   residues.evaluator(), residues.originals()});
    if (!objection) return std::move(objection).error();
    objection_ = std::move(objection->reason);
    verdict_.growth = objection->growth;
    return Done{};
  }

  Status compare_all(ResidueComparison& residues) {
    const Asking asking(options_, "residues of everything");
    if (auto status = residues.run(); !status) return status;
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      if (auto status = compare_output(residues, i); !status) return status;
    }
    return Done{};
  }

  Status record(const Digest& key, ResidueComparison& residues) {
    if (!verdict_.test) return Done{};
    const ResidueRing& ring = residues.evaluator().ring();
    TestRecord& test = *verdict_.test;
    test.seed = key;
    test.primes.clear();
    for (std::size_t lane = 0; lane < ring.lanes(); ++lane)
      test.primes.push_back(ring.field(lane).prime());
    test.ends.clear();
    const auto opaque = depends_on_opaque(original_);
    for (const NodeId output : original_.outputs()) {
      auto& ends = test.ends.emplace_back();
      const auto& shape = original_.node(output).type.shape;
      if (opaque[output.index()] != 0 || !shape || count(*shape) == 0) continue;
      const auto values = residues.store().residues(residues.table().of_original(output));
      if (!values) return values.error();
      ends.emplace();
      for (std::size_t lane = 0; lane < (*values)->lanes(); ++lane) {
        ends->first.push_back((*values)->lane(lane).front());
        ends->last.push_back((*values)->lane(lane).back());
      }
    }
    return Done{};
  }

  static std::vector<char> depends_on_opaque(const Graph& graph) {
    std::vector<char> out(graph.nodes().size(), 0);
    for (const NodeId id : graph.ids()) {
      const Node& node = graph.node(id);
      const bool reads = std::any_of(node.operands.begin(), node.operands.end(),
                                     [&](NodeId operand) { return out[operand.index()] != 0; });
      out[id.index()] = reads || is_opaque(node) ? 1 : 0;
    }
    return out;
  }

  // Everything is equal until it is seen to differ.
  void begin_outputs() {
    verdict_.outputs.clear();
    marks_.assign(original_.outputs().size(), {});
    for (const NodeId output : original_.outputs()) {
      const Node& node = original_.node(output);
      OutputVerdict& out = verdict_.outputs.emplace_back();
      out.name = node.name;
      out.outcome = Outcome::Equivalent;
      out.elements = out.equal = node.type.shape ? count(*node.type.shape) : 0;
      if (node.type.shape) out.wrong.basis = DigitBasis::plain(*node.type.shape);
    }
  }

  Status compare_output(ResidueComparison& residues, std::size_t number) {
    const NodeId theirs = original_.outputs()[number];
    const NodeId mine = mutant_.outputs()[number];
    const ValueTable& table = residues.table();
    OutputVerdict& out = verdict_.outputs[number];
    if (table.of_original(theirs) == table.of_mutant(mine)) return Done{};
    if (!original_.node(theirs).type.shape || !mutant_.node(mine).type.shape) {
      out.outcome = Outcome::Unknown;
      out.equal = 0;
      out.undecided = out.elements;
      out.reason = first_unexplained(table, number);
      return Done{};
    }
    std::vector<char>& marked = marks_[number];
    if (auto status = residues.mark(number, marked); !status) return status;
    out.undecided = std::count(marked.begin(), marked.end(), static_cast<char>(Mark::Undecided));
    out.equal = out.elements - out.undecided;
    if (out.undecided > 0) out.outcome = Outcome::Unknown;
    return Done{};
  }

  // What an output of unknown elements is for, in the order of the file.
  std::string first_unexplained(const ValueTable& table, std::size_t number) const {
    const NodeId output = mutant_.outputs()[number];
    const auto needed = needed_by(mutant_, output);
    for (const NodeId id : mutant_.ids()) {
      const Node& node = mutant_.node(id);
      if (needed[id.index()] == 0 || !is_opaque(node) || !table.is_new(table.of_mutant(id)))
        continue;
      return fmt::format("'{}' is computed by {} and is not shown to be anything of the original's",
                         printable(node.name), name_of(*node.op()));
    }
    return fmt::format("'{}' of the original follows from operators without a meaning here",
                       printable(original_.node(original_.outputs()[number]).name));
  }

  Found found() const {
    return {code_, computed_, verdict_.outputs, marks_, verdict_.proof_seed, options_};
  }

  // Residues say where the programs may differ; real runs say where they do.
  void finish() {
    const bool all_equal =
        std::all_of(verdict_.outputs.begin(), verdict_.outputs.end(),
                    [](const OutputVerdict& o) { return o.outcome == Outcome::Equivalent; });
    if (!all_equal) {
      const Asking asking(options_, "witnesses");
      replay(code_, seed_of_witnesses(), options_, marks_, verdict_.outputs);
    }
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      describe(mutant_, i, marks_[i], kUndecided, verdict_.outputs[i]);
      if (options_.in_detail) keep_positions(marks_[i], verdict_.outputs[i]);
    }
    if (!all_equal) verdict_.reason = verdict_.outputs[first_unequal()].reason;
    if (!objection_.empty()) withhold(verdict_, objection_);
    verdict_.outcome = combined(verdict_.outputs);
  }

  std::size_t first_unequal() const {
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      if (verdict_.outputs[i].outcome != Outcome::Equivalent) return i;
    }
    return 0;
  }

  const Graph& original_;
  const Graph& mutant_;
  PairCode code_;
  const ProofOptions& options_;
  std::optional<std::size_t> most_steps_;
  const ValueTable values_;  // of the original
  ValueTable computed_;      // and of the mutant, as it computes them
  ErrorBound::Plan plan_;
  Verdict verdict_;
  Marks marks_;  // by output; empty where nothing was compared
  std::string objection_;
};

}  // namespace

Verdict BitmapChecker::check(const Graph& original, const Graph& mutant,
                             const ProofOptions& options) {
  if (const auto idle = idle_and_new(original, mutant, options.bind_weights)) {
    return unknown(fmt::format("domain: {} is applied where the original does not apply it",
                               name_of(*mutant.node(*idle).op())));
  }
  const auto theirs = without_idle(original);
  const auto mine = without_idle(mutant);
  return Proof(theirs ? *theirs : original, mine ? *mine : mutant, options, most_steps_).run();
}

Result<TestRecord> BitmapChecker::record(const Graph& original, const Graph& mutant,
                                         const ProofOptions& options) {
  const auto theirs = without_idle(original);
  const auto mine = without_idle(mutant);
  return Proof(theirs ? *theirs : original, mine ? *mine : mutant, options, std::nullopt).record();
}

}  // namespace pet
