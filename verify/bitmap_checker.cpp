#include "verify/bitmap_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/comparisons.h"
#include "verify/conditioning.h"
#include "verify/domain.h"
#include "verify/float_range.h"
#include "verify/interface.h"
#include "verify/proof_plan.h"
#include "verify/replay.h"
#include "verify/residue_store.h"
#include "verify/rounding_errors.h"
#include "verify/rounding_risk.h"
#include "verify/verdict_report.h"

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
    if (is_identical()) return verdict_;
    if (auto status = plan(); !status) {
      if (status.error().kind == ErrorKind::Stopped) return stopped();
      return unknown(status.error().message);
    }
    // A prime that divides a coefficient's denominator is bad luck worth one more draw, not an
    // answer.
    constexpr int kDraws = 3;
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto status = compare(draw);
      if (status) {
        finish();
        return verdict_;
      }
      if (status.error().kind == ErrorKind::Stopped) return stopped();
      verdict_.reason = status.error().message;
    }
    return unknown(verdict_.reason);
  }

 private:
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

  // Again: nothing is written down, and rounding has been looked at.
  enum class Comparison { First, Again };

  Status compare_once(const Digest& key, Comparison which) {
    KeyStream primes(Digester("primes").add(key).finish(), 0);
    const ResidueEvaluator evaluator(draw_primes(primes, plan_.primes),
                                     Digester("hash").add(key).finish(), options_.threads,
                                     options_.stop);
    ValueTable table = values_;
    ResidueStore store(table, code_, evaluator, Digester("points").add(key).finish(),
                       options_.memory_bytes, options_.stop);
    OriginalValues originals(original_, table, store);
    if (auto status = join_values(table, originals); !status) return status;
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      if (auto status = compare_output(table, store, i); !status) return status;
    }
    if (which == Comparison::Again) return look_at_domain(table, store, evaluator);
    if (!claims_anything()) return Done{};
    if (auto status = record(key, table, store, evaluator); !status) return status;
    return look_for_objections({original_, mutant_, table, store, evaluator, originals});
  }

  Status record(const Digest& key, const ValueTable& table, ResidueStore& store,
                const ResidueEvaluator& evaluator) {
    if (!verdict_.test) return Done{};
    TestRecord& test = *verdict_.test;
    test.seed = key;
    test.primes.clear();
    for (std::size_t lane = 0; lane < evaluator.ring().lanes(); ++lane)
      test.primes.push_back(evaluator.ring().field(lane).prime());
    test.ends.clear();
    const auto opaque = depends_on_opaque(original_);
    for (const NodeId output : original_.outputs()) {
      auto& ends = test.ends.emplace_back();
      const auto& shape = original_.node(output).type.shape;
      if (opaque[output.index()] != 0 || !shape || count(*shape) == 0) continue;
      const auto residues = store.residues(table.of_original(output));
      if (!residues) return residues.error();
      ends.emplace();
      for (std::size_t lane = 0; lane < (*residues)->lanes(); ++lane) {
        ends->first.push_back((*residues)->lane(lane).front());
        ends->last.push_back((*residues)->lane(lane).back());
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

  // Walks the mutant; whatever has the residues of a value of the original becomes that value.
  Status join_values(ValueTable& table, OriginalValues& originals) {
    std::size_t done = 0;
    while (const auto id = table.next_of_mutant()) {
      options_.progress(static_cast<double>(++done) / static_cast<double>(mutant_.nodes().size()));
      if (!table.is_new(*id) || table.node(*id).op() == nullptr) continue;
      const auto equal = originals.equal_to(*id);
      if (!equal) return equal.error();
      if (!equal->empty()) table.join(*id, table.of_original(equal->front()));
    }
    return Done{};
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

  Status compare_output(const ValueTable& table, ResidueStore& store, std::size_t number) {
    const ValueId a = table.of_original(original_.outputs()[number]);
    const ValueId b = table.of_mutant(mutant_.outputs()[number]);
    OutputVerdict& out = verdict_.outputs[number];
    if (a == b) return Done{};
    if (!original_.node(original_.outputs()[number]).type.shape ||
        !mutant_.node(mutant_.outputs()[number]).type.shape) {
      out.outcome = Outcome::Unknown;
      out.equal = 0;
      out.reason = "the results of uninterpreted operators differ";
      return Done{};
    }
    const auto x = store.residues(a);
    if (!x) return x.error();
    const auto y = store.residues(b);
    if (!y) return y.error();
    std::vector<char>& marked = marks_[number];
    marked.resize(static_cast<std::size_t>(out.elements), static_cast<char>(Mark::Equal));
    for (std::size_t lane = 0; lane < (*x)->lanes(); ++lane) {
      const auto original = (*x)->lane(lane);
      const auto mutant = (*y)->lane(lane);
      for (std::size_t i = 0; i < marked.size(); ++i)
        if (original[i] != mutant[i]) marked[i] = static_cast<char>(Mark::Undecided);
    }
    out.undecided = std::count(marked.begin(), marked.end(), static_cast<char>(Mark::Undecided));
    out.equal = out.elements - out.undecided;
    if (out.undecided > 0) out.outcome = Outcome::Unknown;
    return Done{};
  }

  Status look_at_domain(const ValueTable& table, ResidueStore& store,
                        const ResidueEvaluator& evaluator) {
    auto domain = domain_violation(original_, mutant_, table, store, evaluator,
                                   equal_tensors(table), options_.stop);
    if (!domain) return std::move(domain).error();
    objection_ = *std::move(domain);
    return Done{};
  }

  // Where "equal" would be no promise, although the residues agree.
  Status look_for_objections(const ProvedPair& pair) {
    if (auto status = look_at_domain(pair.table, pair.store, pair.evaluator); !status)
      return status;
    if (objection_.empty()) objection_ = infinite_arithmetic(original_);
    if (objection_.empty()) objection_ = infinite_arithmetic(mutant_);
    if (objection_.empty()) {
      auto compared = objection_to_comparisons(mutant_, pair.table, computed_, pair.store);
      if (!compared) return std::move(compared).error();
      objection_ = *std::move(compared);
    }
    if (!objection_.empty()) return Done{};
    const auto grown = growth(pair, options_.threads, options_.stop);
    if (!grown) return grown.error();
    verdict_.growth = grown->worst;
    if (verdict_.growth > kLargestGrowth) {
      objection_ = fmt::format(
          "ill-conditioned: sums up to {:.3g} times larger than the original's", verdict_.growth);
      return Done{};
    }
    if (grown->both_beyond_floats) {
      auto beyond =
          results_beyond_floats(code_, Digester("floats").add(verdict_.proof_seed).finish(),
                                options_.threads, options_.stop);
      if (!beyond) return std::move(beyond).error();
      objection_ = *std::move(beyond);
      if (!objection_.empty()) return Done{};
    }
    return compare_rounding_errors(pair.table, grown->strays);
  }

  Status compare_rounding_errors(const ValueTable& table, bool strays) {
    const SumsOfProgram sums = sums_of(mutant_);
    const SumsOfProgram theirs = sums_of(original_);
    const bool is_risky = strays || has_high_powers(sums, mutant_, table) ||
                          has_far_constants(original_, mutant_, table) ||
                          may_cancel_unseen(theirs, sums) || may_leave_domain(mutant_, table);
    if (!is_risky) return Done{};
    auto tensors = equal_tensors(table);
    add_rejoined(table, tensors);
    for (EqualTensors& pair : tensors) pair.cuts = theirs.cuts[pair.original.index()];
    const auto grown =
        growth_of_errors(code_, tensors, Digester("errors").add(verdict_.proof_seed).finish(),
                         options_.threads, options_.stop);
    if (!grown) return grown.error();
    if (grown->worst > kLargestGrowth) {
      objection_ = fmt::format(
          "ill-conditioned: rounding errors up to {:.3g} times larger than the original's",
          grown->worst);
    } else if (grown->unseen) {
      objection_ = fmt::format(
          "rounding: '{}' has no number at any of the inputs that were drawn to look at it",
          printable(mutant_.node(*grown->unseen).name));
    }
    return Done{};
  }

  // What the mutant computes in its own way and somebody sees: outputs, and what operators without
  // a meaning of ours read.
  std::vector<EqualTensors> equal_tensors(const ValueTable& table) const {
    std::vector<EqualTensors> out;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const NodeId theirs = original_.outputs()[i];
      const NodeId mine = mutant_.outputs()[i];
      const bool compared =
          !marks_[i].empty() || verdict_.outputs[i].outcome == Outcome::Equivalent;
      if (compared && computed_.of_original(theirs) != computed_.of_mutant(mine))
        out.push_back({theirs, mine, marks_[i]});
    }
    for (const NodeId id : mutant_.ids()) {
      if (!is_opaque(mutant_.node(id))) continue;
      for (const NodeId operand : mutant_.node(id).operands) {
        const ValueId value = table.of_mutant(operand);
        if (!table.is_new(value) && computed_.is_new(computed_.of_mutant(operand)))
          out.push_back({table.value(value).node, operand, {}});
      }
    }
    return out;
  }

  // What the mutant computes in its own way and the original has, too: what follows may hide, by a
  // mask or a bound, that nothing is left of it.
  void add_rejoined(const ValueTable& table, std::vector<EqualTensors>& tensors) const {
    const auto needed = mutant_.needed_by_outputs();
    for (const NodeId id : mutant_.ids()) {
      const ValueId value = table.of_mutant(id);
      const TensorType& type = mutant_.node(id).type;
      if (needed[id.index()] == 0 || table.is_new(value) || !type.shape ||
          type.dtype != DType::Float || !table.is_new(table.computed_by_mutant(id)))
        continue;
      tensors.push_back({table.value(value).node, id, {}});
    }
  }

  // Residues say where the programs may differ; real runs say where they do.
  void finish() {
    const bool all_equal =
        std::all_of(verdict_.outputs.begin(), verdict_.outputs.end(),
                    [](const OutputVerdict& o) { return o.outcome == Outcome::Equivalent; });
    if (!all_equal) {
      const Digest seed = Digester("replay").add(verdict_.proof_seed).finish();
      replay(code_, seed, options_, marks_, verdict_.outputs);
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
  return Proof(original, mutant, options, most_steps_).run();
}

}  // namespace pet
