#include "verify/inspect/cross_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/backend/process.h"
#include "core/onnx/text.h"
#include "core/util/deadline.h"
#include "core/util/steady_seconds.h"
#include "verify/exact/exact_engine.h"
#include "verify/inspect/small_twin.h"
#include "verify/region/region_engine.h"
#include "verify/self_test/faults.h"
#include "verify/smt/smt_engine.h"
#include "verify/theorem/theorem_engine.h"

namespace pet {
namespace {

using reduce::Pair;

std::uint64_t seed_of(const Graph& original, const Graph& mutant) {
  return reduce::digest_of({original, mutant}).word();
}

Dim largest_value(const Graph& program) {
  Dim out = 0;
  for (const Node& node : program.nodes())
    if (node.type.shape) out = std::max(out, count(*node.type.shape));
  return out;
}

// Seen at once, not when the engine comes to it. Empty: it may try.
std::string too_large(CrossEngine engine, const Graph& original, const Graph& mutant) {
  if (engine == CrossEngine::Corrector || engine == CrossEngine::Theorem) return {};
  const Dim most =
      engine == CrossEngine::Exhaustive ? ExactLimits{}.elements : Dim{smt::Limits{}.elements};
  const Dim largest = std::max(largest_value(original), largest_value(mutant));
  if (largest <= most) return {};
  return fmt::format("too large: a value of {} elements, and {} ends at {}", largest,
                     in_words(engine), most);
}

CrossAnswer unknown(std::string reason) {
  CrossAnswer out;
  out.reason = std::move(reason);
  return out;
}

CrossAnswer answer_of(Verdict verdict) {
  CrossAnswer out;
  out.outcome = verdict.outcome;
  out.outputs = std::move(verdict.outputs);
  out.reason = std::move(verdict.reason);
  out.contradicts_itself = verdict.engines_disagree;
  return out;
}

bool is_equal(const Graph& original, const Graph& mutant, const std::stop_token& stop) {
  ProofOptions options;
  options.stop = stop;
  const auto wrong = not_shown_equal(original, mutant, options);
  return wrong && std::ranges::all_of(*wrong, &Region::empty);
}

// By key, of more than a few elements.
std::set<std::string> long_constants(const Graph& program) {
  constexpr Dim kFew = 64;
  std::set<std::string> out;
  for (const Node& node : program.nodes())
    if (node.constant() != nullptr && count(node.constant()->shape()) > kFew)
      out.insert(reduce::leaf_key(node));
  return out;
}

reduce::Changes with_inputs(const Graph& program, const std::map<std::string, std::string>& names) {
  reduce::Changes out = reduce::no_changes(program);
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (node.constant() == nullptr) continue;
    if (const auto name = names.find(reduce::leaf_key(node)); name != names.end())
      out.cut[id] = name->second;
  }
  return out;
}

Result<Pair> with_long_constants_as_inputs(const Pair& pair) {
  std::set<std::string> taken;
  for (const Graph* program : {&pair.original, &pair.mutant})
    for (const NodeId id : program->inputs()) taken.insert(program->node(id).input()->name);
  const auto of_mutant = long_constants(pair.mutant);
  std::map<std::string, std::string> names;
  std::size_t number = 0;
  for (const std::string& key : long_constants(pair.original)) {
    if (!of_mutant.contains(key)) continue;
    std::string name;
    do name = fmt::format("w{}", number++);
    while (taken.contains(name));
    names[key] = std::move(name);
  }
  if (names.empty()) return pair;
  return changed(pair, {with_inputs(pair.original, names), with_inputs(pair.mutant, names)});
}

}  // namespace

Verdict EngineCrossChecker::verdict_of(CrossEngine engine, const Graph& original,
                                       const Graph& mutant, double seconds,
                                       const ProofOptions& options) const {
  switch (engine) {
    case CrossEngine::Corrector:
      return RegionEngine().check(original, mutant, options);
    case CrossEngine::Exhaustive:
      return ExactEngine().check(original, mutant, options);
    case CrossEngine::Theorem:
      return TheoremEngine().check(original, mutant, options);
    case CrossEngine::Solver: {
      const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::duration<double>(seconds));
      return SmtEngine(time, {}, solver_).check(original, mutant, options);
    }
  }
  return {};
}

Result<CrossAnswer> EngineCrossChecker::ask(CrossEngine engine, const Graph& original,
                                            const Graph& mutant, double seconds,
                                            const std::stop_token& stop) {
  if (engine == CrossEngine::Solver && !ChildProcess::start({solver_, "-version"})) {
    CrossAnswer missing = unknown("Z3 is not installed: the package z3 brings it");
    missing.is_missing = true;
    return missing;
  }
  if (auto reason = too_large(engine, original, mutant); !reason.empty())
    return unknown(std::move(reason));
  const double begun = steady_seconds();
  const Deadline deadline(seconds, stop);
  ProofOptions options;
  options.stop = deadline.token();
  options.proof_seed = std::to_string(seed_of(original, mutant));
  CrossAnswer out = answer_of(verdict_of(engine, original, mutant, seconds, options));
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  out.ms = 1000 * (steady_seconds() - begun);
  if (out.outcome == Outcome::Unknown && out.ms >= 1000 * seconds)
    out.reason = fmt::format("no answer within {} s", seconds);
  return out;
}

Result<SmallTwin> EngineCrossChecker::small_twin(const Graph& original, const Graph& mutant,
                                                 std::span<const Move> moves,
                                                 const std::stop_token& stop) {
  return inspect::small_twin({original, mutant}, moves, stop);
}

Result<std::vector<PlantedPair>> EngineCrossChecker::plant(const Graph& original,
                                                           const Graph& mutant,
                                                           std::span<const Move> moves,
                                                           std::size_t most, std::uint64_t seed,
                                                           const std::stop_token& stop) {
  Pair pair{original, mutant};
  if (!inspect::is_small(pair)) {
    const auto twin = inspect::small_twin(pair, moves, stop);
    if (!twin) return twin.error();
    pair = {*twin->original, *twin->mutant};
  }
  const bool in_mutant = is_equal(pair.original, pair.mutant, stop);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  const auto whole = std::make_shared<const Graph>(pair.original);
  Rng rng(seed);
  std::vector<PlantedPair> out;
  for (self_test::Fault& fault :
       self_test::faults_of(in_mutant ? pair.mutant : pair.original, most, rng))
    out.push_back({(in_mutant ? "" : "in the original, ") + fault.what, whole,
                   std::make_shared<const Graph>(std::move(fault.program))});
  if (out.empty()) return Error{"there is nothing in it that could be broken", ErrorKind::Usage};
  return out;
}

Result<Reproduction> EngineCrossChecker::reproduce(const Graph& original, const Graph& mutant,
                                                   const std::stop_token& stop) {
  const auto pair = with_long_constants_as_inputs({original, mutant});
  if (!pair) return pair.error();
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  auto text = to_case_text(pair->original, pair->mutant);
  if (!text) return std::move(text).error();
  if (text->size() > kLargestCase)
    return Error{fmt::format("the case would have {} bytes, more than {}: constants that only one "
                             "of the programs has are long",
                             text->size(), kLargestCase),
                 ErrorKind::Unsupported};
  return Reproduction{*std::move(text), seed_of(original, mutant)};
}

}  // namespace pet
