#include "verify/inspect/ground_truth.h"

#include <fmt/format.h>

#include <cmath>

#include "verify/bitmap/bitmap_engine.h"
#include "verify/exact/exact_engine.h"

namespace pet {
namespace {

// Empty `by`: it did not decide every element, for that reason.
struct Looked {
  InspectedTruth truth;
  std::string reason;
};

Looked ask(Engine& engine, const Graph& original, const Graph& mutant, std::size_t output,
           const std::stop_token& stop) {
  ProofOptions options;
  options.in_detail = true;
  options.stop = stop;
  const Verdict verdict = engine.check(original, mutant, options);
  if (output >= verdict.outputs.size()) return {{}, verdict.reason};
  const OutputVerdict& said = verdict.outputs[output];
  if (said.undecided > 0 || said.equal + said.different != said.elements)
    return {{}, said.reason.empty() ? verdict.reason : said.reason};
  Looked out;
  out.truth.equal_at = said.equal_at;
  if (said.equal_at.empty())  // all alike
    out.truth.equal_at.assign(static_cast<std::size_t>(said.elements), said.different == 0);
  return out;
}

}  // namespace

Result<InspectedTruth> ground_truth(const Graph& original, const Graph& mutant, std::size_t output,
                                    const std::stop_token& stop) {
  ExactEngine exact;
  BitmapEngine bitmap;
  std::string reasons;
  for (const auto& [engine, words] :
       {std::pair<Engine*, const char*>{&exact, "the exhaustive check"},
        {&bitmap, "residues modulo primes"}}) {
    Looked looked = ask(*engine, original, mutant, output, stop);
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    looked.truth.by = words;
    if (!looked.truth.equal_at.empty()) return std::move(looked.truth);
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", engine->name(), looked.reason);
  }
  return Error{"nobody can say it of every element (" + reasons + ")"};
}

}  // namespace pet
