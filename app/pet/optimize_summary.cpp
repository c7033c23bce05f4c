#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "app/common/shape_flags.h"
#include "app/pet/optimize.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

std::string where_in_words(const TargetRecord& target) {
  return fmt::format("in {} {} on {}, {}", target.name, target.version, target.device,
                     plural(target.threads, "thread"));
}

std::string of_original(const RunRecord& r) {
  std::string out =
      fmt::format("{}  {}\n", r.optimized.empty() ? "measured " : "unchanged", r.reason);
  if (r.original_times)
    out += fmt::format("time       {:.2f} ms median of {} {}\n", r.original_times->median_ms,
                       r.original_times->runs, where_in_words(r.target));
  return out;
}

// Of a wrong "equal".
std::string chance_in_words(const TrustRecord& t) {
  if (!t.log2_error || std::isinf(*t.log2_error)) return ", nothing left to chance";
  return fmt::format(" up to 2^{:.1f}, {}", *t.log2_error, plural(t.primes, "prime"));
}

std::string of_changed(const RunRecord& r) {
  std::string out =
      fmt::format("speed      {:.3f}x {} ({:.2f} -> {:.2f} ms median of {}; at least {:.3f}x)\n",
                  r.speedup.median, where_in_words(r.target), r.original_times->median_ms,
                  r.optimized_times->median_ms, r.original_times->runs, r.speedup.low.value_or(0));
  if (r.promised_ms)
    out += fmt::format("places     promised to save {:.2f} ms together, the file saves {:.2f} ms\n",
                       *r.promised_ms, r.original_times->median_ms - r.optimized_times->median_ms);
  const TrustRecord& t = r.trust;
  out += fmt::format("proof      {}{}, sums grow {:.3g}x\n", to_string(*t.verdict),
                     chance_in_words(t), t.growth);
  out += fmt::format("numbers    largest difference {:.2g} of the largest output value\n",
                     t.numeric.max_rel);
  if (!t.fixed.empty()) {
    out += fmt::format(
        "sizes      the written file holds for {} alone; the original leaves them open\n",
        fixed_sizes(t.fixed));
  }
  if (!t.left.empty()) {
    out += fmt::format("constants  {} could not be computed ahead of time: {} ({})\n",
                       t.left.size(), t.left.front().what, t.left.front().reason);
  }
  for (const PlaceRecord& place : r.places) {
    out += fmt::format("  {:<44} at {}", in_words(place.mutant.moves), printable(place.name));
    // What rules do along the way is measured together.
    out += place.saved_ms != 0 ? fmt::format(": saves {:.3f} ms\n", place.saved_ms) : "\n";
  }
  return out;
}

// One after another as they happen, and what accepting consists of beside it.
std::string times_in_words(const std::map<std::string, double>& seconds) {
  const auto told = [&](const std::vector<std::string>& stages) {
    std::string out;
    for (const std::string& stage : stages) {
      const auto it = seconds.find(stage);
      if (it != seconds.end()) out += fmt::format(" {} {:.1f} s,", stage, it->second);
    }
    return out;
  };
  std::vector<std::string> accepting;
  for (std::size_t i = 0; i < kStages; ++i) {
    std::string stage(short_name(static_cast<Stage>(i)));
    if (std::ranges::find(accepting, stage) == accepting.end())
      accepting.push_back(std::move(stage));
  }
  std::string of_accepting = told(accepting);
  std::string out = told({"set-up", "search", "accept"});
  if (!of_accepting.empty()) {
    of_accepting.pop_back();
    out.back() = ' ';
    out += fmt::format("({}),", of_accepting.substr(1));
  }
  return out + told({"total"});
}

}  // namespace

std::string summary_of(const RunRecord& r) {
  // Where nothing was to be written, nothing was.
  std::string out =
      printable(r.original) + (r.optimized.empty() ? "\n" : " -> " + printable(r.optimized) + "\n");
  out += r.changed ? of_changed(r) : of_original(r);
  const EffortRecord& e = r.effort;
  out += fmt::format("looked at  {}, {}; {} verified, {} measured; search {}\n",
                     plural(r.subprograms.size(), "subprogram"), plural(e.proposed, "mutant"),
                     e.verified, e.measured, e.stop ? to_string(*e.stop) : "not begun");
  out += fmt::format("measured   {} afresh, {} as remembered from earlier runs\n",
                     plural(e.made, "candidate"), e.reused);
  out += "took      " + times_in_words(r.seconds);
  return out + fmt::format(" peak {:.0f} MiB\n", r.peak_rss_mib);
}

}  // namespace pet::app
