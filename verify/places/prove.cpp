#include "verify/places/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/bitmap/compared.h"
#include "verify/bitmap/proof_plan.h"
#include "verify/places/evidence.h"
#include "verify/places/objections.h"
#include "verify/places/views.h"
#include "verify/places/walk.h"
#include "verify/rounding/objections.h"
#include "verify/values/idle.h"
#include "verify/values/interface.h"
#include "verify/values/step_limit.h"
#include "verify/verdict/verdict_report.h"

namespace pet::places {
namespace {

std::string name_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.input() != nullptr) return node.input()->name;
  return node.name.empty() ? fmt::format("value {}", id.index()) : node.name;
}

std::vector<std::string> operators_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<std::string> out;
  for (const NodeId id : nodes) out.push_back(graph.node(id).op()->def->name);
  return out;
}

PlaceReport described(const Graph& original, const Graph& mutant, const ValueTable& table,
                      NodeId theirs, NodeId mine, const Place& place) {
  PlaceReport out;
  out.original = name_of(original, theirs);
  out.mutant = name_of(mutant, mine);
  out.operators = operators_of(original, place.operators);
  out.replaced_by = operators_of(mutant, place.replaced_by);
  for (const ValueId value : place.boundary)
    out.between.push_back(name_of(original, table.value(value).node));
  return out;
}

// The sum of chances, as logarithms.
double either(double a, double b) {
  if (std::isinf(a)) return b;
  if (std::isinf(b)) return a;
  return std::max(a, b) + std::log2(1 + std::exp2(-std::abs(a - b)));
}

PlacesReport report_of(const Graph& original, const Graph& mutant, const Walked& walked,
                       const ProofOptions& options) {
  constexpr double kMostSteps = 0x1p31;
  PlacesReport out;
  std::vector<char> placed(mutant.nodes().size(), 0);
  for (const ShownPlace& shown : walked.places) {
    for (const NodeId id : shown.place.replaced_by) placed[id.index()] = 1;
    out.places.push_back(
        described(original, mutant, walked.table, shown.original, shown.mutant, shown.place));
    out.places.back().shown_by = shown.by;
  }
  for (const NodeId id : mutant.ids()) {
    if (mutant.node(id).op() != nullptr && placed[id.index()] == 0 &&
        id.index() < walked.numbered && !walked.table.is_new(walked.table.of_mutant(id)))
      ++out.shared;
  }
  if (const auto& open = walked.open) {
    PlaceReport& place = out.places.emplace_back(
        described(original, mutant, walked.table, open->original, open->mutant, open->place));
    // What takes as long as a network is told by the look at the whole alone.
    if (evaluation_steps(open->place.original) + evaluation_steps(open->place.mutant) >
        kMostSteps) {
      place.outcome = Outcome::Unknown;
      return out;
    }
    ProofOptions how;
    how.log2_error = options.log2_error;
    how.proof_seed = options.proof_seed;
    how.first_difference = options.first_difference;
    how.threads = options.threads;
    how.memory_bytes = options.memory_bytes;
    how.stop = options.stop;
    const Verdict alone = BitmapEngine().check(open->place.original, open->place.mutant, how);
    place.outcome = alone.outcome;
    for (const OutputVerdict& output : alone.outputs) place.witness = output.witness;
  }
  return out;
}

bool differs_somewhere(const std::vector<char>& marked) {
  return std::ranges::any_of(marked,
                             [](char mark) { return mark != static_cast<char>(Mark::Equal); });
}

class Proof {
 public:
  Proof(const Graph& original, const Graph& mutant, const ProofOptions& options)
      : original_(original), mutant_(mutant), options_(options) {
    if (options_.proof_seed) return;
    options_.proof_seed = std::to_string(fresh_entropy().word());
    options_.seed_is_fresh = true;
  }

  Answer run() {
    if (!interface_mismatch(original_, mutant_).empty()) return not_walked("other interfaces");
    const auto viewed = with_views(original_, mutant_);
    const Graph& original = viewed ? *viewed : original_;
    const auto walked = walk(original, mutant_, options_);
    if (!walked) return not_walked(walked.error().message);
    Answer out{.verdict = {}, .report = report_of(original, mutant_, *walked, options_)};
    if (!walked->all) {
      out.report.whole = walked->open ? "a place was not shown" : "no place was found to be shown";
      return out;
    }
    if (options_.record_test) out.report.pairs = evidence_of(original_, original, mutant_, *walked);
    auto undefined = may_be_undefined(original, mutant_, *walked, options_);
    out.report.whole = undefined ? *std::move(undefined) : undefined.error().message;
    if (!out.report.whole.empty()) return out;
    const auto objection = objection_of(original, *walked, out.report.whole);
    if (!objection) {
      out.report.whole = objection.error().message;
      return out;
    }
    Verdict verdict = equivalent(*walked);
    verdict.growth = objection->growth;
    if (!objection->reason.empty()) {
      withhold(verdict, objection->reason);
      verdict.outcome = combined(verdict.outputs);
    } else if (options_.record_test && !out.report.pairs) {
      auto test = BitmapEngine::record(original_, mutant_, options_);
      if (!test) {
        out.report.whole = test.error().message;
        return out;
      }
      verdict.test = *std::move(test);
    }
    verdict.places = out.report;
    out.verdict = std::move(verdict);
    return out;
  }

 private:
  static Answer not_walked(std::string why) {
    return {.verdict = {},
            .report = {.shared = 0, .places = {}, .whole = std::move(why), .pairs = {}}};
  }

  // What floats make of it: asked of places, and of the whole where these do not tell (`why`).
  Result<Objection> objection_of(const Graph& original, const Walked& walked,
                                 std::string& why) const {
    const auto looked = look_at_floats(original, mutant_, walked, options_);
    if (!looked) return looked.error();
    why = looked->whole;
    if (why.empty()) return Objection{{}, looked->growth};
    Compared whole(original_, mutant_, options_);
    const auto plan = plan_proof(original_, mutant_, whole.computed(), options_.log2_error,
                                 std::nullopt, options_.stop);
    if (!plan) return plan.error();
    // Values that are equal are found by these; that outputs are was shown.
    constexpr std::size_t kPrimes = 3;
    const Digest key = Digester("floats of places").add(*options_.proof_seed).finish();
    if (auto status = whole.compare(key, kPrimes); !status) return std::move(status).error();
    // Somebody else has the last word then.
    if (std::ranges::any_of(whole.marks(), differs_somewhere))
      return Error{"residues differ where places show them to be equal"};
    return objection_to_floats(whole, options_);
  }

  Verdict equivalent(const Walked& walked) const {
    Verdict out;
    out.outcome = Outcome::Equivalent;
    out.reproduced = !options_.seed_is_fresh;
    out.proof_seed = *options_.proof_seed;
    out.log2_error = -std::numeric_limits<double>::infinity();
    for (const ShownPlace& shown : walked.places) {
      out.log2_error = either(out.log2_error, shown.log2_error);
      out.primes = std::max(out.primes, shown.primes);
    }
    out.outputs = equal_outputs(original_);
    out.engines = {{"places", out.outcome, {}, out.log2_error}};
    return out;
  }

  const Graph& original_;
  const Graph& mutant_;
  ProofOptions options_;  // with a seed
};

}  // namespace

Answer prove(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  if (idle_and_new(original, mutant, options.bind_weights))
    return {.verdict = {},
            .report = {
                .shared = 0, .places = {}, .whole = "an operator that nothing needs", .pairs = {}}};
  const auto theirs = without_idle(original);
  const auto mine = without_idle(mutant);
  return Proof(theirs ? *theirs : original, mine ? *mine : mutant, options).run();
}

}  // namespace pet::places
