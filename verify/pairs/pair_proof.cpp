#include "verify/pairs/pair_proof.h"

#include <algorithm>

#include "verify/bitmap/bitmap_engine.h"
#include "verify/pairs/consensus.h"
#include "verify/rounding/objections.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

// Why nobody has the values that an "equal" rests on: what the engine says that ought to have them.
std::string why_none(const Verdict& verdict) {
  const auto it = std::ranges::find(verdict.engines, BitmapEngine::kName, &EngineAnswer::engine);
  if (it != verdict.engines.end() && !it->reason.empty()) return it->reason;
  return "rounding: no engine that was asked has the values of both programs to look at";
}

Result<Objection> objection(const EngineWord& said, const ProofOptions& options) {
  if (said.compared == nullptr) return Objection{why_none(said.verdict)};
  return objection_to_floats(*said.compared, options);
}

}  // namespace

Verdict prove_pair(const Graph& original, const Graph& mutant, std::span<Engine* const> engines,
                   const ProofOptions& options) {
  EngineWord said = consensus(original, mutant, engines, options);
  Verdict& verdict = said.verdict;
  if (options.floats == Floats::None || !claims_anything(verdict)) return std::move(verdict);
  const auto against = objection(said, options);
  if (against) verdict.growth = against->growth;
  const std::string reason = against ? against->reason : against.error().message;
  if (!reason.empty()) {
    withhold(verdict, reason);
    verdict.outcome = verdict.outputs.empty() ? Outcome::Unknown : combined(verdict.outputs);
  }
  return std::move(verdict);
}

}  // namespace pet
