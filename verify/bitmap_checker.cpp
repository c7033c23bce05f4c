#include "verify/bitmap_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "core/analysis/box_cover.h"
#include "core/util/rng.h"
#include "verify/conditioning.h"
#include "verify/error_bound.h"
#include "verify/replay.h"
#include "verify/residue_store.h"

namespace pet {
namespace {

constexpr std::size_t kMostPrimes = 24;
constexpr double kMostElements = 4e9;  // of one program; what a proof could not hold anyway

Verdict unknown(std::string reason) {
  Verdict verdict;
  verdict.outcome = Outcome::Unknown;
  verdict.reason = std::move(reason);
  return verdict;
}

// The interface of two graphs: inputs by name, outputs by position. Empty where they agree.
std::string interface_mismatch(const Graph& a, const Graph& b) {
  const auto types = [](const Graph& graph) {
    std::map<std::string, std::string> out;
    for (const NodeId id : graph.inputs()) out[graph.node(id).input()->name] = to_string(graph.node(id).type);
    return out;
  };
  const auto inputs_a = types(a);
  const auto inputs_b = types(b);
  for (const auto& [name, type] : inputs_a) {
    const auto it = inputs_b.find(name);
    if (it == inputs_b.end()) return fmt::format("input {} is missing in the second program", name);
    if (it->second != type) return fmt::format("input {} is {} in one and {} in the other", name, type, it->second);
  }
  for (const auto& [name, type] : inputs_b) {
    if (!inputs_a.contains(name)) return fmt::format("input {} is missing in the first program", name);
  }
  if (a.outputs().size() != b.outputs().size()) {
    return fmt::format("{} outputs in one and {} in the other", a.outputs().size(), b.outputs().size());
  }
  for (std::size_t i = 0; i < a.outputs().size(); ++i) {
    const auto& x = a.node(a.outputs()[i]).type;
    const auto& y = b.node(b.outputs()[i]).type;
    if (x != y) return fmt::format("output {} is {} in one and {} in the other", i, to_string(x), to_string(y));
  }
  return {};
}

class Proof {
 public:
  Proof(const Graph& original, const Graph& mutant, const ProofOptions& options)
      : original_(original), mutant_(mutant), options_(options),
        weights_(options.bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols) {}

  Verdict run() {
    if (auto mismatch = interface_mismatch(original_, mutant_); !mismatch.empty()) {
      Verdict verdict;
      verdict.outcome = Outcome::ShapeMismatch;
      verdict.reason = std::move(mismatch);
      return verdict;
    }
    if (auto status = bound_error(); !status) return unknown(status.error().message);
    verdict_.reproduced = options_.proof_seed.has_value();
    verdict_.proof_seed = options_.proof_seed.value_or(fresh_entropy().hex());
    // A prime that divides a coefficient's denominator is bad luck worth one more draw, not an answer.
    constexpr int kDraws = 3;
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto status = compare(draw);
      if (status) {
        finish();
        return verdict_;
      }
      if (status.error().kind == ErrorKind::Stopped) return unknown("stopped before the proof was finished");
      verdict_.reason = status.error().message;
    }
    return unknown(verdict_.reason);
  }

 private:
  Digest secret(int draw) const {
    return Digester("proof").add(verdict_.proof_seed).add(original_.digest()).add(mutant_.digest())
        .add(static_cast<std::uint64_t>(options_.bind_weights)).add(std::bit_cast<std::uint64_t>(options_.log2_error))
        .add(static_cast<std::uint64_t>(draw)).finish();
  }

  // The number of primes follows from the error asked for.
  Status bound_error() {
    ErrorBound bound;
    for (const Graph* graph : {&original_, &mutant_}) {
      ValueTable roles(original_, *graph, weights_);
      std::vector<PolynomialSize> sizes;
      double elements = 0;
      for (const NodeId id : graph->ids()) {
        const Node& node = graph->node(id);
        const ValueId value = *roles.next_of_mutant();
        std::vector<const PolynomialSize*> operands;
        for (const NodeId operand : node.operands) operands.push_back(&sizes[operand.index()]);
        std::optional<Meaning> meaning;
        if (graph->has_meaning(id)) meaning = graph->meaning(id);
        sizes.push_back(size_of(node, roles.value(value).role, meaning ? &*meaning : nullptr, operands));
        Dim elements_here = node.type.shape ? count(*node.type.shape) : 1;
        elements += static_cast<double>(elements_here);
        if (meaning) {
          for (const Application& application : meaning->applications) elements_here += count(application.out);
        }
        bound.include(sizes.back(), elements_here);
      }
      if (elements > kMostElements) return Error{fmt::format("{:.3g} elements are too many to evaluate", elements)};
    }
    for (std::size_t primes = 1; primes <= kMostPrimes; ++primes) {
      if (bound.log2_error(primes) > options_.log2_error) continue;
      verdict_.primes = primes;
      verdict_.log2_error = bound.log2_error(primes);
      return Done{};
    }
    return Error{fmt::format("an error of 2^{:.0f} needs more than {} primes (degree {:.3g}, coefficients of {:.3g} bits)",
                             options_.log2_error, kMostPrimes, bound.degree, bound.length_bits)};
  }

  Status compare(int draw) {
    const Digest key = secret(draw);
    KeyStream primes(Digester("primes").add(key).finish(), 0);
    const ResidueEvaluator evaluator(draw_primes(primes, verdict_.primes), Digester("hash").add(key).finish(), options_.threads);
    ValueTable table(original_, mutant_, weights_);
    ResidueStore store(table, evaluator, Digester("points").add(key).finish(), options_.memory_bytes, options_.stop);
    if (auto status = join_values(table, store); !status) return status;
    verdict_.outputs.clear();
    for (std::size_t i = 0; i < original_.outputs().size(); ++i) {
      auto status = compare_output(table, store, i);
      if (!status) return status;
    }
    return check_domain(table, store, evaluator);
  }

  // Walks the mutant; whatever has the residues of a value of the original becomes that value.
  Status join_values(ValueTable& table, ResidueStore& store) {
    std::map<Digest, ValueId> known;
    bool original_known = false;
    std::size_t done = 0;
    while (const auto id = table.next_of_mutant()) {
      options_.progress(static_cast<double>(++done) / static_cast<double>(mutant_.nodes().size()));
      if (!table.is_new(*id) || table.node(*id).op() == nullptr) continue;
      if (!original_known) {  // only now is the original evaluated: identical programs never get here
        for (const NodeId node : original_.ids()) {
          if (original_.node(node).op() == nullptr) continue;
          const auto digest = store.digest(table.of_original(node));
          if (!digest) return digest.error();
          known.try_emplace(*digest, table.of_original(node));
        }
        original_known = true;
      }
      const auto digest = store.digest(*id);
      if (!digest) return digest.error();
      if (const auto it = known.find(*digest); it != known.end()) table.join(*id, it->second);
    }
    joined_ = joined_ || table.any_joined();
    return Done{};
  }

  Status compare_output(const ValueTable& table, ResidueStore& store, std::size_t number) {
    const ValueId a = table.of_original(original_.outputs()[number]);
    const ValueId b = table.of_mutant(mutant_.outputs()[number]);
    const Node& node = original_.node(original_.outputs()[number]);
    OutputVerdict out;
    out.name = node.name;
    out.elements = node.type.shape ? count(*node.type.shape) : 0;
    if (a == b) {
      out.outcome = Outcome::Equivalent;
      out.equal = out.elements;
      verdict_.outputs.push_back(std::move(out));
      marks_.emplace_back();
      return Done{};
    }
    if (!node.type.shape) {
      out.reason = "the results of uninterpreted operators differ";
      verdict_.outputs.push_back(std::move(out));
      marks_.emplace_back();
      return Done{};
    }
    const auto x = store.residues(a);
    if (!x) return x.error();
    const auto y = store.residues(b);
    if (!y) return y.error();
    std::vector<char> marked(static_cast<std::size_t>(out.elements), 0);
    for (std::size_t lane = 0; lane < (*x)->lanes.size(); ++lane) {
      for (std::size_t i = 0; i < marked.size(); ++i) if ((*x)->lanes[lane][i] != (*y)->lanes[lane][i]) marked[i] = 1;
    }
    out.undecided = std::count(marked.begin(), marked.end(), 1);
    out.equal = out.elements - out.undecided;
    out.outcome = out.undecided == 0 ? Outcome::Equivalent : Outcome::Unknown;
    verdict_.outputs.push_back(std::move(out));
    marks_.push_back(std::move(marked));
    return Done{};
  }

  // B may apply a partial function, or an opaque operator, only to what A applies it to.
  Status check_domain(const ValueTable& table, ResidueStore& store, const ResidueEvaluator& evaluator) {
    domain_reason_.clear();
    std::vector<ValueId> partial;
    for (const ValueId id : live_of_mutant(table)) {
      const Node& node = table.node(id);
      if (!table.is_new(id) || node.op() == nullptr) continue;
      if (node.op()->def->lower == nullptr) {
        domain_reason_ = fmt::format("domain: {} runs on operands that the original does not give it", to_string(*node.op()));
        return Done{};
      }
      const Meaning meaning = table.value(id).graph->meaning(table.value(id).node);
      if (std::any_of(meaning.applications.begin(), meaning.applications.end(), is_partial)) partial.push_back(id);
    }
    if (partial.empty()) return Done{};
    std::set<Hash128> allowed;
    for (const ValueId id : live_of_original(table)) {
      if (auto status = arguments(table, store, evaluator, id, [&](const Hash128& h) { allowed.insert(h); }); !status) return status;
    }
    for (const ValueId id : partial) {
      bool inside = true;
      auto status = arguments(table, store, evaluator, id, [&](const Hash128& h) { inside = inside && allowed.contains(h); });
      if (!status) return status;
      if (!inside) {
        domain_reason_ = fmt::format("domain: {} is applied where the original does not apply it", to_string(*table.node(id).op()));
        return Done{};
      }
    }
    return Done{};
  }

  static bool is_partial(const Application& application) { return application.function->totality == Totality::Partial; }

  template <class Visit>
  Status arguments(const ValueTable& table, ResidueStore& store, const ResidueEvaluator& evaluator, ValueId id, Visit&& visit) {
    const Value& value = table.value(id);
    if (!value.graph->has_meaning(value.node)) return Done{};
    const Meaning meaning = value.graph->meaning(value.node);
    if (std::none_of(meaning.applications.begin(), meaning.applications.end(), is_partial)) return Done{};
    std::vector<std::shared_ptr<const ResidueTensor>> held;
    std::vector<const ResidueTensor*> operands;
    for (const ValueId operand : value.operands) {
      auto tensor = store.residues(operand);
      if (!tensor) return std::move(tensor).error();
      held.push_back(*std::move(tensor));
      operands.push_back(held.back().get());
    }
    for (const Application& application : meaning.applications) {
      if (!is_partial(application)) continue;
      for (const Hash128& h : evaluator.argument_digests(application, operands)) visit(h);
    }
    return Done{};
  }

  // What the outputs need; an operator that nothing needs is never run.
  static std::vector<ValueId> live(const ValueTable& table, std::vector<ValueId> from) {
    std::set<ValueId> seen(from.begin(), from.end());
    while (!from.empty()) {
      const ValueId id = from.back();
      from.pop_back();
      for (const ValueId operand : table.value(id).operands) {
        if (seen.insert(operand).second) from.push_back(operand);
      }
    }
    return {seen.begin(), seen.end()};
  }
  std::vector<ValueId> live_of_mutant(const ValueTable& table) const {
    // A joined value is equal to one of the original's, but the mutant's own way to it is what must be defined.
    std::vector<char> needed(mutant_.nodes().size(), 0);
    for (const NodeId id : mutant_.outputs()) needed[id.index()] = 1;
    std::set<ValueId> all;
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (needed[i] == 0) continue;
      for (const NodeId operand : mutant_.node(NodeId(i)).operands) needed[operand.index()] = 1;
    }
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] != 0) all.insert(table.computed_by_mutant(NodeId(i)));
    }
    return {all.begin(), all.end()};
  }
  std::vector<ValueId> live_of_original(const ValueTable& table) const {
    std::vector<ValueId> outputs;
    for (const NodeId id : original_.outputs()) outputs.push_back(table.of_original(id));
    return live(table, std::move(outputs));
  }

  // Residues say where the programs may differ; real runs say where they do.
  void finish() {
    const bool all_equal = std::all_of(verdict_.outputs.begin(), verdict_.outputs.end(),
                                       [](const OutputVerdict& o) { return o.outcome == Outcome::Equivalent; });
    if (!all_equal) replay();
    const bool identical = all_equal && !joined_;
    if (identical) verdict_.log2_error = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) describe(verdict_.outputs[i], i);
    verdict_.outcome = combined(verdict_.outputs);
    if (!all_equal) verdict_.reason = verdict_.outputs[first_unequal()].reason;
    if (!domain_reason_.empty() && verdict_.outcome != Outcome::Different) withhold(domain_reason_);
    if (identical || verdict_.outcome == Outcome::Unknown || verdict_.outcome == Outcome::Different) return;
    const auto grown = growth(original_, mutant_, options_.threads, options_.stop);
    if (!grown) return withhold(grown.error().message);
    verdict_.growth = *grown;
    if (verdict_.growth > kLargestGrowth) {
      withhold(fmt::format("ill-conditioned: sums up to {:.3g} times larger than the original's", verdict_.growth));
    }
  }

  std::size_t first_unequal() const {
    for (std::size_t i = 0; i < verdict_.outputs.size(); ++i) {
      if (verdict_.outputs[i].outcome != Outcome::Equivalent) return i;
    }
    return 0;
  }

  // No "equal" is claimed anywhere.
  void withhold(std::string reason) {
    verdict_.outcome = Outcome::Unknown;
    verdict_.reason = std::move(reason);
    for (OutputVerdict& out : verdict_.outputs) {
      out.outcome = Outcome::Unknown;
      out.undecided += out.equal;
      out.equal = 0;
      out.reason = verdict_.reason;
    }
  }

  void replay() {
    constexpr int kRuns = 3;
    const Digest digest = Digester("replay").add(verdict_.proof_seed).finish();
    for (int run = 0; run < kRuns; ++run) {
      std::uint64_t seed = 0;
      for (int i = 0; i < 4; ++i) seed = seed << 8 | digest.bytes[static_cast<std::size_t>(4 * run + i)];
      const auto a = run_reals(original_, seed, options_.threads, options_.stop);
      const auto b = a ? run_reals(mutant_, seed, options_.threads, options_.stop) : Result<RealOutputs>(a.error());
      if (!a || !b) return;
      bool open = false;
      for (std::size_t i = 0; i < marks_.size(); ++i) {
        note_differences(verdict_.outputs[i], marks_[i], *a, *b, i, seed);
        open = open || verdict_.outputs[i].undecided > 0;
      }
      if (!open) return;
    }
  }

  static void note_differences(OutputVerdict& out, std::vector<char>& marked, const RealOutputs& a, const RealOutputs& b,
                               std::size_t number, std::uint64_t seed) {
    long double scale = 0;
    for (const long double x : a.fine[number]) scale = std::isfinite(x) ? std::max(scale, std::abs(x)) : scale;
    for (std::size_t i = 0; i < marked.size(); ++i) {
      if (marked[i] != 1) continue;
      const long double x = a.fine[number][i];
      const long double y = b.fine[number][i];
      if (!clearly_differ(x, a.coarse[number][i], y, b.coarse[number][i], scale)) continue;
      marked[i] = 2;
      --out.undecided;
      ++out.different;
      if (!out.witness) out.witness = Witness{seed, {static_cast<Dim>(i)}, static_cast<double>(x), static_cast<double>(y)};
    }
  }

  void describe(OutputVerdict& out, std::size_t number) {
    if (out.outcome == Outcome::Equivalent || marks_[number].empty()) return;
    const Shape shape = *original_.node(original_.outputs()[number]).type.shape;
    if (out.witness) {
      Dim rest = out.witness->position[0];
      out.witness->position.clear();
      for (const Dim stride : row_major_strides(shape)) {
        out.witness->position.push_back(rest / stride);
        rest %= stride;
      }
    }
    out.wrong = region_of(marks_[number], shape, basis_of_views(mutant_, mutant_.outputs()[number]));
    if (out.different == 0) {
      out.outcome = Outcome::Unknown;
      out.reason = "residues differ, but no inputs were found at which the results do";
    } else {
      out.outcome = out.equal == 0 && out.undecided == 0 ? Outcome::Different : Outcome::Partial;
    }
  }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  ValueTable::Weights weights_;
  Verdict verdict_;
  std::vector<std::vector<char>> marks_;  // by output: 0 equal, 1 undecided, 2 different
  std::string domain_reason_;
  bool joined_ = false;
};

}  // namespace

Outcome combined(const std::vector<OutputVerdict>& outputs) {
  const auto all = [&](Outcome outcome) {
    return std::all_of(outputs.begin(), outputs.end(), [&](const OutputVerdict& o) { return o.outcome == outcome; });
  };
  const auto any = [&](Outcome outcome) {
    return std::any_of(outputs.begin(), outputs.end(), [&](const OutputVerdict& o) { return o.outcome == outcome; });
  };
  if (all(Outcome::Equivalent)) return Outcome::Equivalent;
  if (all(Outcome::Different)) return Outcome::Different;
  if (any(Outcome::Partial) || any(Outcome::Different)) return Outcome::Partial;
  return Outcome::Unknown;
}

Verdict BitmapChecker::check(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  return Proof(original, mutant, options).run();
}

}  // namespace pet
