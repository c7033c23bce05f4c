#include "verify/self_test/self_test.h"

#include <algorithm>
#include <limits>

#include "verify/pairs/pair_proof.h"
#include "verify/self_test/faults.h"
#include "verify/verdict/verdict_report.h"

namespace pet::self_test {
namespace {

bool is_certain(const EngineAnswer& answer) {
  return answer.outcome == Outcome::Equivalent &&
         answer.log2_error == -std::numeric_limits<double>::infinity();
}

}  // namespace

FaultFound look(const Graph& original, const Graph& broken, const std::string& what,
                std::span<Engine* const> engines, const ProofOptions& options) {
  ProofOptions whether = options;
  whether.first_difference = true;
  const Verdict verdict = prove_pair(original, broken, engines, whether);
  FaultFound out{what, Noticed::Withheld, verdict.reason};
  if (verdict.engines_disagree) {
    out.noticed = Noticed::Contradicted;
  } else if (verdict.outcome == Outcome::Equivalent) {
    const bool certain = std::any_of(verdict.engines.begin(), verdict.engines.end(), is_certain);
    out.noticed = certain ? Noticed::StaysEqual : Noticed::CalledEqual;
  } else if (has_witness(verdict.outputs)) {
    out.noticed = Noticed::ByWitness;
    out.reason.clear();  // nothing is to be explained
  }
  return out;
}

std::vector<FaultFound> break_and_look(const Graph& original, const Graph& mutant, std::size_t most,
                                       std::span<Engine* const> engines,
                                       const ProofOptions& options, Rng& rng) {
  std::vector<FaultFound> out;
  if (prove_pair(original, mutant, engines, options).outcome != Outcome::Equivalent) return out;
  const auto break_one = [&](const Graph& whole, const Graph& side, const std::string& which) {
    for (const Fault& fault : faults_of(side, most - out.size(), rng)) {
      if (options.stop.stop_requested()) break;
      out.push_back(look(whole, fault.program, which + fault.what, engines, options));
    }
  };
  break_one(original, mutant, "");
  break_one(mutant, original, "in the original, ");
  return out;
}

}  // namespace pet::self_test
