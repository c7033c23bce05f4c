#include "viz/words/report.h"

#include <fmt/format.h>

#include "core/program/region_words.h"
#include "core/program/verdict_text.h"
#include "core/util/plural.h"

namespace pet::viz {

std::string in_words(const Speedup& speedup) {
  std::string out = fmt::format("{:.2f}x", speedup.median);
  if (speedup.low) out += fmt::format(" (at least {:.2f}x)", *speedup.low);
  return out;
}

std::string headline_of(const RunRecord& run) {
  if (!run.changed)
    return fmt::format("{}: nothing was changed{}", run.model,
                       run.reason.empty() ? "" : ": " + run.reason);
  std::string out = fmt::format("{}: {:.2f} times as fast", run.model, run.speedup.median);
  if (run.speedup.low) out += fmt::format(" (at least {:.2f})", *run.speedup.low);
  out += fmt::format("; {} changed", plural(run.places.size(), "place"));
  if (run.trust.verdict) out += fmt::format("; proved {}", pet::to_string(*run.trust.verdict));
  if (run.trust.log2_error)
    out += fmt::format(", a wrong answer has a probability of 2^{:.0f}", *run.trust.log2_error);
  return out;
}

std::string target_of(const RunRecord& run) {
  if (run.target.name.empty()) return "where it was measured is not recorded";
  return fmt::format("measured in {} {}, {}, {}", run.target.name, run.target.version,
                     run.target.device, plural(run.target.threads, "thread"));
}

std::string in_words(const PlaceRecord& place) {
  std::string out = fmt::format("{}\n\nsubprogram S{}, mutant M{}\n", place.name, place.subprogram,
                                place.mutant.id.value);
  for (const Move& move : place.mutant.moves) out += pet::in_words(move) + "\n";
  out += fmt::format("\nsaves {:.4g} ms: {} as fast among its neighbours\n", place.saved_ms,
                     in_words(place.ratio));
  if (place.correction) {
    out += fmt::format("\nbefore its correction it was wrong in {:.2f} % of the output",
                       100 * place.correction->share);
    if (place.correction->wrong) out += ": " + where_in_words(*place.correction->wrong);
    out += "\n";
  }
  return out;
}

}  // namespace pet::viz
