#include "verify/bitmap/bitmap_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/ir/needed.h"
#include "core/util/printable.h"
#include "verify/bitmap/compared.h"
#include "verify/bitmap/domain.h"
#include "verify/bitmap/proof_plan.h"
#include "verify/values/idle.h"
#include "verify/values/infinite_arithmetic.h"
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
      : options_(options),
        most_steps_(most_steps),
        compared_(std::make_shared<Compared>(original, mutant, options)),
        original_(compared_->original()),
        mutant_(compared_->mutant()) {}

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      Verdict verdict;
      verdict.outcome = Outcome::ShapeMismatch;
      verdict.reason = std::move(mismatch);
      return verdict;
    }
    verdict_.reproduced = options_.proof_seed.has_value() && !options_.seed_is_fresh;
    verdict_.proof_seed = compared_->seed();
    // What a certificate holds beside the files is bound to a test: then there has to be one.
    if (options_.certified_text == nullptr && compared_->is_one_program()) return identical();
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
        // What was not looked at to the end is not defined everywhere.
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

  std::shared_ptr<Compared> compared() && { return std::move(compared_); }

  // The record of the test that run() would make, of the original's values alone.
  Result<TestRecord> record() {
    if (auto status = plan(); !status) return std::move(status).error();
    Status status = Done{};
    for (int draw = 0; draw < kDraws; ++draw) {
      const Digest key = secret(draw);
      compared_->begin(bound(key), plan_.primes);
      status = record(key);
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
        .add(compared_->seed())
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

  Verdict identical() {
    begin_outputs();
    verdict_.outcome = Outcome::Equivalent;
    verdict_.log2_error = -std::numeric_limits<double>::infinity();
    return verdict_;
  }

  // Whether one prime tells them apart, and one run of each shows it.
  Result<bool> differ_at_a_glance() {
    begin_outputs();
    const Digest key = Digester("glance").add(secret(0)).finish();
    if (auto status = compare_all(key, 1); !status) return status.error();
    glance(compared_->code(), seed_of_witnesses(), options_, compared_->marks(), verdict_.outputs);
    if (!has_witness(verdict_.outputs)) return false;
    verdict_.primes = 1;
    leave_open(verdict_, "only the first difference was asked for");
    verdict_.outcome = combined(verdict_.outputs);
    return true;
  }

  Digest seed_of_witnesses() const { return Digester("replay").add(compared_->seed()).finish(); }

  Status plan() {
    const auto planned = plan_proof(original_, mutant_, compared_->computed(), options_.log2_error,
                                    most_steps_, options_.stop);
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

  // As often as the error asked for takes; what one of them finds different is not equal, and what
  // one of them finds undefined is nothing.
  Status compare(int draw) {
    const Digest key = secret(draw);
    begin_outputs();
    if (auto status = compare_once(key); !status || !claims_anything(verdict_)) return status;
    if (auto status = record(key); !status) return status;
    for (std::size_t i = 1;
         i < plan_.comparisons && undefined_.empty() && claims_anything(verdict_); ++i) {
      const Digest again = Digester("again").add(key).add(std::uint64_t{i}).finish();
      if (auto status = compare_once(again); !status) return status;
    }
    return Done{};
  }

  Status compare_once(const Digest& key) {
    if (auto status = compare_all(key, plan_.primes); !status || !claims_anything(verdict_))
      return status;
    const Asking asking(options_, "where both are defined");
    auto undefined =
        domain_violation(original_, mutant_, compared_->residues().table(),
                         compared_->residues().store(), compared_->equal_tensors(), options_.stop);
    if (undefined && undefined->empty())
      undefined = infinite_arithmetic(original_, mutant_, options_.stop);
    if (!undefined) return std::move(undefined).error();
    undefined_ = *std::move(undefined);
    return Done{};
  }

  Status compare_all(const Digest& key, std::size_t primes) {
    if (auto status = compared_->compare(bound(key), primes); !status) return status;
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) count_differences(i);
    return Done{};
  }

  Status record(const Digest& key) {
    if (!verdict_.test) return Done{};
    ResidueComparison& residues = compared_->residues();
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
    verdict_.outputs = equal_outputs(original_);
    compared_->marks().assign(original_.outputs().size(), {});
  }

  void count_differences(std::size_t number) {
    const ValueTable& table = compared_->residues().table();
    const NodeId theirs = original_.outputs()[number];
    const NodeId mine = mutant_.outputs()[number];
    OutputVerdict& out = verdict_.outputs[number];
    if (table.of_original(theirs) == table.of_mutant(mine)) return;
    if (!original_.node(theirs).type.shape || !mutant_.node(mine).type.shape) {
      out.outcome = Outcome::Unknown;
      out.equal = 0;
      out.undecided = out.elements;
      out.reason = first_unexplained(table, number);
      return;
    }
    const std::vector<char>& marked = compared_->marks()[number];
    out.undecided = std::count(marked.begin(), marked.end(), static_cast<char>(Mark::Undecided));
    out.equal = out.elements - out.undecided;
    if (out.undecided > 0) out.outcome = Outcome::Unknown;
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

  // Residues say where the programs may differ; real runs say where they do.
  void finish() {
    const bool all_equal =
        std::all_of(verdict_.outputs.begin(), verdict_.outputs.end(),
                    [](const OutputVerdict& o) { return o.outcome == Outcome::Equivalent; });
    if (!all_equal) {
      const Asking asking(options_, "witnesses");
      replay(compared_->code(), seed_of_witnesses(), options_, compared_->marks(),
             verdict_.outputs);
    }
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      const std::vector<char>& marked = compared_->marks()[i];
      describe(mutant_, i, marked, kUndecided, verdict_.outputs[i]);
      if (options_.in_detail) keep_positions(marked, verdict_.outputs[i]);
    }
    if (!all_equal) verdict_.reason = verdict_.outputs[first_unequal()].reason;
    verdict_.leaves_domain = !undefined_.empty();
    if (verdict_.leaves_domain) withhold(verdict_, undefined_);
    verdict_.outcome = combined(verdict_.outputs);
  }

  std::size_t first_unequal() const {
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      if (verdict_.outputs[i].outcome != Outcome::Equivalent) return i;
    }
    return 0;
  }

  const ProofOptions& options_;
  std::optional<std::size_t> most_steps_;
  std::shared_ptr<Compared> compared_;
  const Graph& original_;
  const Graph& mutant_;
  ErrorBound::Plan plan_;
  Verdict verdict_;
  std::string undefined_;  // why either is no program over the reals where the original is one
};

}  // namespace

EngineWord BitmapEngine::ask(const Graph& original, const Graph& mutant,
                             const ProofOptions& options) {
  if (const auto idle = idle_and_new(original, mutant, options.bind_weights)) {
    Verdict verdict =
        unknown(fmt::format("domain: {} is applied where the original does not apply it",
                            name_of(*mutant.node(*idle).op())));
    verdict.leaves_domain = true;
    return {std::move(verdict), nullptr};
  }
  Proof proof(original, mutant, options, most_steps_);
  Verdict verdict = proof.run();
  if (!claims_anything(verdict)) return {std::move(verdict), nullptr};
  return {std::move(verdict), std::move(proof).compared()};
}

Result<TestRecord> BitmapEngine::record(const Graph& original, const Graph& mutant,
                                        const ProofOptions& options) {
  return Proof(original, mutant, options, std::nullopt).record();
}

}  // namespace pet
