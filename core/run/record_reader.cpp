#include <fmt/format.h>

#include <algorithm>

#include "core/run/record_json.h"
#include "core/run/tolerant_json.h"
#include "core/search/journal_fields.h"

namespace pet {
namespace {

using namespace tolerant;

// Nothing where it is not what was written.
template <class T>
std::optional<T> strictly(const Json& json) {
  try {
    T out{};
    journal::decode(json, out);
    return out;
  } catch (const journal::BadLine&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// By its word.
template <class Fact>
std::optional<Fact> fact(const Json& json, const char* name) {
  return strictly<std::optional<Fact>>(member(json, name)).value_or(std::nullopt);
}

// Of reasons, by their words; 0 of one that is not there.
template <class Reason, std::size_t N>
std::array<std::size_t, N> counts(const Json& json) {
  std::array<std::size_t, N> out = {};
  for (std::size_t i = 0; i < N; ++i)
    out[i] = whole_number(json, std::string(to_string(static_cast<Reason>(i))).c_str());
  return out;
}

Move move_of(const Json& json) {
  if (json.is_string()) return move::Said{json.get<std::string>()};
  if (auto move = strictly<Move>(json)) return *std::move(move);
  return move::Said{text(json, "words")};
}

// Older reports have no moves, or have them in words.
Lineage mutant_of(const Json& json) {
  Lineage out;
  out.id = strictly<MutantId>(member(json, "id")).value_or(MutantId{});
  out.parent = strictly<std::optional<MutantId>>(member(json, "parent")).value_or(std::nullopt);
  out.round = whole_number(json, "round");
  for (const Json& move : list(json, "moves")) out.moves.push_back(move_of(move));
  if (out.moves.empty()) out.moves.emplace_back(move::Said{text(json, "mutant")});
  return out;
}

Speedup speedup_of(const Json& json) {
  return {known_number(json, "median").value_or(1), known_number(json, "low"),
          known_number(json, "high")};
}

std::optional<FileTimes> times_of(const Json& json) {
  const auto median = known_number(json, "median");
  if (!median) return std::nullopt;
  return FileTimes{*median, number(json, "min"), whole_number(json, "runs")};
}

TensorType type_of(const Json& json) {
  TensorType out{DType::Undefined, strictly<Shape>(member(json, "shape"))};
  std::string word = text(json, "type");
  // Older reports have both in one: "float[2,3]".
  if (const std::size_t at = word.find('['); at != std::string::npos) {
    out.shape = strictly<Shape>(Json::parse(word.substr(at), nullptr, false));
    word.resize(at);
  }
  for (int i = 1; const auto dtype = dtype_from(i); ++i) {
    if (to_string(*dtype) == word) out.dtype = *dtype;
  }
  return out;
}

Attrs attributes_of(const Json& json) {
  Attrs out;
  for (const auto& [name, value] : object(json, "attributes").items()) {
    if (value.is_number_float()) out.set(name, value.get<double>());
    if (value.is_number_integer()) out.set(name, value.get<std::int64_t>());
    if (value.is_string()) out.set(name, value.get<std::string>());
    if (auto ints = strictly<Ints>(value)) out.set(name, *std::move(ints));
  }
  return out;
}

std::vector<ProgramRecord::Leaf> leaves_of(const Json& program, const char* name) {
  std::vector<ProgramRecord::Leaf> out;
  for (const Json& leaf : list(program, name)) {
    out.push_back({text(leaf, "id"), text(leaf, "name"), type_of(leaf), texts(leaf, "from"),
                   whole_number(leaf, "operators"), known_number(leaf, "value")});
  }
  return out;
}

ProgramRecord program_of(const Json& json) {
  ProgramRecord out{
      leaves_of(json, "inputs"), leaves_of(json, "constants"), {}, texts(json, "outputs")};
  for (const Json& node : list(json, "nodes")) {
    out.steps.push_back({text(node, "id"), text(node, "op"), attributes_of(node), type_of(node),
                         texts(node, "operands"), truth(node, "view")});
  }
  return out;
}

std::vector<LayoutRecord> layouts_of(const Json& json, const char* name) {
  std::vector<LayoutRecord> out;
  for (const Json& layout : list(json, name)) {
    out.push_back({text(layout, "value"),
                   strictly<AxisOrder>(member(layout, "order")).value_or(AxisOrder{})});
  }
  return out;
}

std::optional<CorrectionRecord> correction_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  return CorrectionRecord{strictly<Region>(member(json, "wrong")), number(json, "wrong_share")};
}

PlaceRecord place_of(const Json& json) {
  PlaceRecord out;
  out.subprogram = whole_number(json, "subprogram");
  out.name = text(json, "place");
  out.outputs = texts(json, "outputs");
  out.mutant = mutant_of(json);
  out.saved_ms = number(json, "saved_ms");
  out.ratio = speedup_of(member(json, "ratio"));
  out.correction = correction_of(member(json, "corrected"));
  out.before = program_of(member(json, "before"));
  out.after = program_of(member(json, "after"));
  out.inputs = layouts_of(member(json, "layouts"), "inputs");
  out.results = layouts_of(member(json, "layouts"), "outputs");
  return out;
}

// Reports up to version 0.1 had other names for some of it, and 0 for what was not known.
void read_mutants(const Json& json, SubprogramRecord& out) {
  const bool is_old = known_number(json, "verified").has_value();
  out.distinct = whole_number(json, is_old ? "programs" : "distinct");
  out.generated = is_old ? out.distinct + out.pruned[static_cast<std::size_t>(Pruned::SeenProgram)]
                         : whole_number(json, "generated");
  out.checked = whole_number(json, is_old ? "verified" : "checked");
  out.not_checked = out.proposed - std::min(out.proposed, out.checked);
  const auto known = [&](const char* name) -> std::optional<std::size_t> {
    const std::size_t found = whole_number(json, name);
    return found > 0 || out.not_checked == 0 ? std::optional(found) : std::nullopt;
  };
  if (!is_old) out.equal = known("equal");
  out.partial = known("partial");
  out.corrected = known("corrected");
}

std::vector<std::string> operators_of(const Json& json) {
  const Json& operators = member(json, "operators");
  if (operators.is_string()) return {operators.get<std::string>()};
  return texts(json, "operators");
}

SubprogramRecord subprogram_of(const Json& json) {
  SubprogramRecord out;
  out.number = whole_number(json, "number");
  out.operators = operators_of(json);
  out.place = text(json, "place");
  out.places = whole_number(json, "places");
  out.proposed = whole_number(json, "proposed");
  out.nodes = whole_number(json, "nodes");
  out.pruned = counts<Pruned, kPrunedReasons>(member(json, "pruned"));
  read_mutants(json, out);
  const Json& discarded = member(json, "discarded");
  out.discarded = counts<Discarded, kDiscardedReasons>(discarded);
  out.left = whole_number(discarded, kLeft);
  out.best_ratio = known_number(json, "best_ratio");
  for (const Json& m : list(json, "measured")) {
    out.measured.push_back({mutant_of(m), fact<Decision>(m, "decision"),
                            speedup_of(member(m, "ratio")), number(m, "original_ms"),
                            number(m, "candidate_ms")});
  }
  for (const Json& f : list(json, "failed")) out.failed.push_back({mutant_of(f), text(f, "why")});
  return out;
}

void read_whole(const Json& report, RunRecord& out) {
  out.changed = truth(report, "changed");
  out.model = text(report, "model");
  out.original = text(report, "original");
  out.optimized = text(report, "optimized");
  const Json& target = member(report, "target");
  out.target = {text(target, "name"), text(target, "version"), text(target, "device"),
                whole_number(target, "threads")};
  out.reason = text(report, "reason");
  out.original_times = times_of(member(report, "original_ms"));
  out.optimized_times = times_of(member(report, "optimized_ms"));
  out.speedup = speedup_of(member(report, "speedup"));
  out.promised_ms = known_number(report, "promised_ms");
  out.bytes_original = whole_number(member(report, "bytes"), "original");
  out.bytes_optimized = whole_number(member(report, "bytes"), "optimized");
  out.attempts = whole_number(report, "attempts");
  for (const Json& entry : list(report, "rejected")) {
    out.rejected.push_back({whole_number(entry, "mutants"), text(entry, "reason"), std::nullopt});
    if (member(entry, "speedup").is_object())
      out.rejected.back().ratio = speedup_of(member(entry, "speedup"));
    out.rejected.back().promised_ms = known_number(entry, "promised_ms");
  }
}

void read_trust(const Json& report, RunRecord& out) {
  TrustRecord& t = out.trust;
  t.verdict = fact<Outcome>(report, "verdict");
  t.log2_error = known_number(report, "log2_error");
  t.growth = known_number(report, "growth_of_sums").value_or(1);
  t.primes = whole_number(report, "primes");
  t.weight_programs = whole_number(report, "weight_programs");
  const Json& numeric = member(report, "numeric");
  t.numeric = {number(numeric, "max_abs"), number(numeric, "max_rel"),
               number(numeric, "max_rel_of_channel")};
  for (const auto& [name, type] : object(report, "proved_at").items())
    if (type.is_string()) t.proved_at[name] = type.get<std::string>();
  for (const auto& [name, size] : object(report, "fixed_sizes").items())
    if (size.is_number_integer()) t.fixed[name] = size.get<Dim>();
  t.proof_seed = text(report, "proof_seed");
  t.certificate = text(report, "certificate");
  for (const Json& left : list(report, "constants_left"))
    t.left.push_back({text(left, "what"), text(left, "reason")});
  const Json& limits = member(report, "limits");
  out.limits = {known_number(limits, "search_s"), known_number(limits, "max_rel_error"),
                known_number(limits, "max_growth")};
}

void read_search(const Json& report, RunRecord& out) {
  const Json& search = member(report, "search");
  out.effort = {fact<StopReason>(search, "stop"),
                whole_number(search, "proposed"),
                whole_number(search, "verified"),
                whole_number(search, "measured"),
                known_number(search, "measuring_s"),
                whole_number(member(report, "measurements"), "made"),
                whole_number(member(report, "measurements"), "reused")};
  out.operators_before = numbers<std::size_t>(member(report, "operators"), "original");
  out.operators_after = numbers<std::size_t>(member(report, "operators"), "optimized");
  out.seconds = numbers<double>(report, "seconds");
  out.peak_rss_mib = number(report, "peak_rss_mib");
  out.seed = whole_number(report, "seed");
}

}  // namespace

bool is_report(const Json& json) {
  return member(json, "chosen").is_array() && member(json, "changed").is_boolean();
}

RunRecord record_of(const Json& report) {
  RunRecord out;
  read_whole(report, out);
  read_trust(report, out);
  read_search(report, out);
  // Older reports say which mutants were chosen, not what they are.
  const char* places = member(report, "places").is_array() ? "places" : "chosen";
  for (const Json& place : list(report, places)) out.places.push_back(place_of(place));
  for (const Json& subprogram : list(report, "subprograms"))
    out.subprograms.push_back(subprogram_of(subprogram));
  return out;
}

}  // namespace pet
