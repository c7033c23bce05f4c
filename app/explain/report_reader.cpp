#include "app/explain/report_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace pet::explain {
namespace {

std::vector<std::string> texts(const Json& json, const char* name) {
  std::vector<std::string> out;
  for (const Json& entry : list(json, name)) {
    if (entry.is_string()) out.push_back(entry.get<std::string>());
  }
  return out;
}

std::map<std::string, std::size_t> counts(const Json& json, const char* name) {
  std::map<std::string, std::size_t> out;
  for (const auto& [key, value] : object(json, name).items()) {
    if (value.is_number_unsigned()) out[key] = value.get<std::size_t>();
  }
  return out;
}

std::vector<Program::Leaf> leaves(const Json& program, const char* name) {
  std::vector<Program::Leaf> out;
  for (const Json& leaf : list(program, name)) {
    out.push_back({text(leaf, "id"), text(leaf, "name"), text(leaf, "type"), texts(leaf, "from"),
                   whole_number(leaf, "operators"), known_number(leaf, "value")});
  }
  return out;
}

Program program_of(const Json& json) {
  Program out{leaves(json, "inputs"), leaves(json, "constants"), {}, texts(json, "outputs")};
  for (const Json& node : list(json, "nodes")) {
    const Json& view = member(node, "view");
    out.steps.push_back({text(node, "id"), text(node, "op"), text(node, "type"),
                         texts(node, "operands"), view.is_boolean() && view.get<bool>()});
  }
  return out;
}

std::vector<Layout> layouts_of(const Json& json, const char* name) {
  std::vector<Layout> out;
  for (const Json& layout : list(json, name)) {
    out.push_back({text(layout, "value"), {}});
    for (const Json& axis : list(layout, "order")) {
      if (axis.is_number_unsigned()) out.back().order.push_back(axis.get<std::size_t>());
    }
  }
  return out;
}

Place place_of(const Json& json) {
  Place out;
  out.subprogram = whole_number(json, "subprogram");
  out.name = text(json, "place");
  out.mutant = text(json, "mutant");
  out.moves = texts(json, "moves");
  if (out.moves.empty()) out.moves.push_back(out.mutant);
  out.saved_ms = number(json, "saved_ms");
  out.ratio = speedup_of(member(json, "ratio"));
  const Json& corrected = member(json, "corrected");
  if (corrected.is_object())
    out.correction = {text(corrected, "wrong"), number(corrected, "wrong_share")};
  out.before = program_of(member(json, "before"));
  out.after = program_of(member(json, "after"));
  out.inputs = layouts_of(member(json, "layouts"), "inputs");
  out.outputs = layouts_of(member(json, "layouts"), "outputs");
  return out;
}

}  // namespace

namespace {

// Reports up to version 0.1 had other names for some of it, and 0 for what was not known.
void read_mutants(const Json& json, Subprogram& out) {
  const bool is_old = known_number(json, "verified").has_value();
  out.distinct = whole_number(json, is_old ? "programs" : "distinct");
  const auto repeated = out.pruned.find("program seen");
  out.generated = is_old ? out.distinct + (repeated == out.pruned.end() ? 0 : repeated->second)
                         : whole_number(json, "generated");
  const std::size_t checked = whole_number(json, is_old ? "verified" : "checked");
  out.not_checked = out.proposed - std::min(out.proposed, checked);
  const auto known = [&](const char* name) -> std::optional<std::size_t> {
    const std::size_t found = whole_number(json, name);
    return found > 0 || out.not_checked == 0 ? std::optional(found) : std::nullopt;
  };
  if (!is_old) out.equal = known("equal");
  out.partial = known("partial");
  out.corrected = known("corrected");
}

}  // namespace

Subprogram subprogram_of(const Json& json) {
  Subprogram out;
  out.number = whole_number(json, "number");
  out.operators = text(json, "operators");
  out.place = text(json, "place");
  out.places = whole_number(json, "places");
  out.proposed = whole_number(json, "proposed");
  out.nodes = whole_number(json, "nodes");
  out.pruned = counts(json, "pruned");
  read_mutants(json, out);
  out.discarded = counts(json, "discarded");
  for (const Json& m : list(json, "measured")) {
    out.measured.push_back({text(m, "mutant"), text(m, "decision"), speedup_of(member(m, "ratio")),
                            number(m, "original_ms") - number(m, "candidate_ms")});
  }
  for (const Json& f : list(json, "failed"))
    out.failed.push_back(text(f, "mutant") + ": " + text(f, "why"));
  return out;
}

namespace {

void read_whole(const Json& report, Explanation& out) {
  const Json& changed = member(report, "changed");
  out.changed = changed.is_boolean() && changed.get<bool>();
  out.model = text(report, "model");
  out.original = text(report, "original");
  out.optimized = text(report, "optimized");
  const Json& target = member(report, "target");
  out.target = text(target, "name") + " " + text(target, "version");
  out.device = text(target, "device");
  out.threads = whole_number(target, "threads");
  out.reason = text(report, "reason");
  out.original_ms = number(member(report, "original_ms"), "median");
  out.optimized_ms = number(member(report, "optimized_ms"), "median");
  out.speedup = speedup_of(member(report, "speedup"));
  out.bytes_original = number(member(report, "bytes"), "original");
  out.bytes_optimized = number(member(report, "bytes"), "optimized");
  for (const Json& entry : list(report, "rejected")) {
    out.attempts.push_back({whole_number(entry, "mutants"), text(entry, "reason"), std::nullopt});
    if (member(entry, "speedup").is_object())
      out.attempts.back().ratio = speedup_of(member(entry, "speedup"));
  }
}

void read_trust(const Json& report, Explanation& out) {
  out.verdict = text(report, "verdict");
  out.log2_error = known_number(report, "log2_error");
  out.growth = known_number(report, "growth_of_sums").value_or(1);
  out.primes = whole_number(report, "primes");
  out.weight_programs = whole_number(report, "weight_programs");
  out.max_rel = number(member(report, "numeric"), "max_rel");
  const Json& limits = member(report, "limits");
  out.max_rel_allowed = known_number(limits, "max_rel_error");
  out.growth_allowed = known_number(limits, "max_growth");
  out.search_budget_s = known_number(limits, "search_s");
}

void read_search(const Json& report, Explanation& out) {
  const Json& search = member(report, "search");
  out.stop = text(search, "stop");
  out.proposed = whole_number(search, "proposed");
  out.verified = whole_number(search, "verified");
  out.measured = whole_number(search, "measured");
  out.measuring_s = known_number(search, "measuring_s");
  out.measured_afresh = whole_number(member(report, "measurements"), "made");
  out.remembered = whole_number(member(report, "measurements"), "reused");
  out.operators_before = counts(member(report, "operators"), "original");
  out.operators_after = counts(member(report, "operators"), "optimized");
  for (const auto& [stage, value] : object(report, "seconds").items()) {
    if (value.is_number()) out.seconds[stage] = value.get<double>();
  }
}

}  // namespace

std::vector<Place> places_of(const Json& places) {
  std::vector<Place> out;
  for (const Json& place : places) out.push_back(place_of(place));
  return out;
}

Speedup speedup_of(const Json& json) {
  return {known_number(json, "median").value_or(1), known_number(json, "low"),
          known_number(json, "high")};
}

Explanation from_report(const Json& report) {
  Explanation out;
  read_whole(report, out);
  read_trust(report, out);
  read_search(report, out);
  // Older reports say which mutants were chosen, not what they are.
  const char* places = member(report, "places").is_array() ? "places" : "chosen";
  out.places = places_of(list(report, places));
  for (const Json& subprogram : list(report, "subprograms"))
    out.subprograms.push_back(subprogram_of(subprogram));
  return out;
}

}  // namespace pet::explain
