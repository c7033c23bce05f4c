#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/common/machine.h"
#include "app/pet/optimize.h"
#include "app/pet/optimize_paths.h"
#include "app/pet/report_places.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

Json speedup(const Ratio& ratio) {
  const Json high = std::isfinite(ratio.high) ? Json(ratio.high) : Json(nullptr);
  return {{"median", ratio.median}, {"low", ratio.low}, {"high", high}};
}

Json times(const std::vector<double>& ms) {
  if (ms.empty()) return nullptr;
  std::vector<double> sorted = ms;
  std::ranges::sort(sorted);
  return {{"median", sorted[sorted.size() / 2]}, {"min", sorted.front()}, {"runs", sorted.size()}};
}

std::string verdict_of(const OptimizeResult& result) {
  // An unchanged file is the original, byte for byte.
  if (result.accepted.chosen.empty()) return "equivalent";
  return std::string(to_string(result.accepted.verdict->outcome));
}

void add_search(Json& report, const OptimizeResult& result) {
  report["subprograms"] = result.record.subprograms();
  report["chosen"] = Json::array();
  for (const Choice& choice : result.accepted.chosen) {
    report["chosen"].push_back({{"subprogram", choice.subprogram},
                                {"place", choice.place},
                                {"mutant", choice.how},
                                {"corrections", choice.corrected ? 1 : 0},
                                {"saved_ms", choice.saved_ms}});
  }
  report["places"] = places_of(result.model->graph, result.accepted.chosen, result.record);
  report["search"] = {{"stop", to_string(result.search.reason)},
                      {"proposed", result.search.proposed},
                      {"verified", result.search.verified},
                      {"measured", result.search.measured},
                      {"measuring_s", result.record.measuring_seconds()}};
  report["measurements"] = {{"made", result.measurements_made},
                            {"reused", result.measurements_reused}};
}

}  // namespace

Json report_of(const OptimizeOptions& options, const OptimizeResult& result) {
  const Accepted& a = result.accepted;
  const bool changed = !a.chosen.empty();
  std::error_code ignored;
  const auto original_bytes = std::filesystem::file_size(options.in, ignored);
  Json report{
      {"model", result.model->path.filename().string()},
      {"original", options.in},
      {"optimized", options.out},
      {"changed", changed},
      {"reason", a.reason},
      {"bytes", {{"original", original_bytes}, {"optimized", changed ? a.bytes : original_bytes}}},
      {"target",
       {{"name", result.target.name},
        {"version", result.target.version},
        {"device", result.target.device},
        {"threads", result.threads}}}};
  const Comparison* c = changed && a.comparison ? &*a.comparison : nullptr;
  // What was written unchanged takes as long as the original: it is the original.
  report["original_ms"] = times(c != nullptr ? c->timing.a_ms : result.original_ms);
  report["optimized_ms"] = times(c != nullptr ? c->timing.b_ms : result.original_ms);
  report["speedup"] = speedup(c != nullptr ? c->ratio : Ratio{1, 1, 1});
  report["rejected"] = Json::array();
  for (const Rejected& attempt : a.rejected) {
    report["rejected"].push_back({{"mutants", attempt.choices},
                                  {"reason", attempt.reason},
                                  {"speedup", attempt.ratio ? speedup(*attempt.ratio) : Json()}});
  }
  report["verdict"] = verdict_of(result);
  // -infinity: identical files, nothing was left to chance. JSON has no infinity.
  const bool certain = !changed || std::isinf(a.verdict->log2_error);
  report["log2_error"] = certain ? Json(nullptr) : Json(a.verdict->log2_error);
  Json sizes = Json::object();
  for (const ModelInput& input : result.model->inputs) sizes[input.name] = to_string(input.type);
  report["proved_at"] = sizes;
  report["folded"] = {{"count", 0}};
  report["primes"] = changed ? Json(a.verdict->primes) : Json(0);
  report["weight_programs"] = changed ? Json(a.verdict->weight_programs) : Json(0);
  report["constants_left"] = Json::array();
  for (const LeftConstant& left : a.left)
    report["constants_left"].push_back({{"what", left.what}, {"reason", left.reason}});
  report["operators"] = {{"original", operator_counts(result.model->graph)}};
  if (changed && a.written) report["operators"]["optimized"] = operator_counts(*a.written);
  report["limits"] = {{"search_s", result.budget_s},
                      {"max_rel_error", options.max_rel_error},
                      {"max_growth", options.max_growth}};
  report["growth_of_sums"] = changed ? Json(a.verdict->growth) : Json(1.0);
  if (a.numeric) {
    report["numeric"] = {{"max_abs", a.numeric->max_abs},
                         {"max_rel", a.numeric->max_rel},
                         {"max_rel_of_channel", a.numeric->max_rel_of_channel}};
  } else {
    report["numeric"] = {{"max_abs", 0.0}, {"max_rel", 0.0}, {"max_rel_of_channel", 0.0}};
  }
  add_search(report, result);
  report["attempts"] = a.attempts;
  report["seconds"] = result.seconds;
  report["peak_rss_mib"] = peak_rss_mib();
  report["seed"] = result.seed;
  report["proof_seed"] = a.verdict ? Json(a.verdict->proof_seed) : Json(nullptr);
  const bool certified = result.certificate && *result.certificate;
  report["certificate"] = certified ? Json(certificate_path(options)) : Json(nullptr);
  return report;
}

std::string summary_of(const OptimizeOptions& options, const OptimizeResult& result) {
  const Accepted& a = result.accepted;
  std::string out = fmt::format("{} -> {}\n", printable(options.in), printable(options.out));
  if (a.chosen.empty()) {
    out += fmt::format("unchanged  {}\n", a.reason);
    if (const Json own = times(result.original_ms); !own.is_null()) {
      out += fmt::format("time       {:.2f} ms median of {} in {} {} on {}, {} threads\n",
                         own["median"].get<double>(), result.original_ms.size(), result.target.name,
                         result.target.version, result.target.device, result.threads);
    }
  } else {
    const Json report = report_of(options, result);
    out += fmt::format(
        "speed      {:.3f}x in {} {} on {}, {} threads ({:.2f} -> {:.2f} ms median of {}; at least "
        "{:.3f}x)\n",
        a.comparison->ratio.median, result.target.name, result.target.version, result.target.device,
        result.threads, report["original_ms"]["median"].get<double>(),
        report["optimized_ms"]["median"].get<double>(), a.comparison->timing.a_ms.size(),
        a.comparison->ratio.low);
    out += fmt::format("proof      {} up to 2^{:.1f}, {} primes, sums grow {:.3g}x\n",
                       to_string(a.verdict->outcome), a.verdict->log2_error, a.verdict->primes,
                       a.verdict->growth);
    out += fmt::format("numbers    largest difference {:.2g} of the largest output value\n",
                       a.numeric->max_rel);
    if (!a.left.empty()) {
      out += fmt::format("constants  {} could not be computed ahead of time: {} ({})\n",
                         a.left.size(), a.left.front().what, a.left.front().reason);
    }
    for (const Choice& choice : a.chosen) {
      out += fmt::format("  {:<44} at {}: saves {:.3f} ms\n", choice.how, printable(choice.place),
                         choice.saved_ms);
    }
  }
  out += fmt::format("looked at  {} subprograms, {} mutants; {} verified, {} measured; search {}\n",
                     result.subprograms, result.search.proposed, result.search.verified,
                     result.search.measured, to_string(result.search.reason));
  out += fmt::format("measured   {} candidates afresh, {} as remembered from earlier runs\n",
                     result.measurements_made, result.measurements_reused);
  out += "took      ";
  for (const auto& [stage, seconds] : result.seconds)
    out += fmt::format(" {} {:.1f} s,", stage, seconds);
  return out + fmt::format(" peak {:.0f} MiB\n", peak_rss_mib());
}

}  // namespace pet::app
