#include "core/run/record_json.h"

#include <cmath>

#include "core/run/tolerant_json.h"
#include "core/search/move_fields.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;
using journal::encoded;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json speedup(const Speedup& ratio) {
  return {{"median", ratio.median}, {"low", or_null(ratio.low)}, {"high", or_null(ratio.high)}};
}

Json times(const std::optional<FileTimes>& times) {
  if (!times) return nullptr;
  return {{"median", times->median_ms}, {"min", times->min_ms}, {"runs", times->runs}};
}

// The words are for people: nobody reads them back.
Json moves_of(const Lineage& mutant) {
  Json out = Json::array();
  for (const Move& move : mutant.moves) {
    Json entry = encoded(move);
    entry["words"] = in_words(move);
    out.push_back(std::move(entry));
  }
  return out;
}

void add_mutant(const Lineage& mutant, Json& out) {
  out["mutant"] = in_words(mutant.moves);
  out["id"] = encoded(mutant.id);
  out["parent"] = encoded(mutant.parent);
  out["round"] = mutant.round;
  out["moves"] = moves_of(mutant);
}

void add_type(const TensorType& type, Json& out) {
  out["type"] = to_string(type.dtype);
  out["shape"] = or_null(type.shape);
}

Json attributes_of(const Attrs& attrs) {
  Json out = Json::object();
  for (const auto& [name, value] : attrs)
    out[name] = std::visit([](const auto& v) { return Json(v); }, value);
  return out;
}

Json leaves(const std::vector<ProgramRecord::Leaf>& all) {
  Json out = Json::array();
  for (const ProgramRecord::Leaf& leaf : all) {
    Json entry{{"id", leaf.id}, {"name", leaf.name}};
    add_type(leaf.type, entry);
    entry["from"] = leaf.from;
    entry["operators"] = leaf.operators;
    if (leaf.value) entry["value"] = *leaf.value;
    out.push_back(std::move(entry));
  }
  return out;
}

Json program(const ProgramRecord& record) {
  Json out{{"inputs", leaves(record.inputs)},
           {"constants", leaves(record.constants)},
           {"nodes", Json::array()},
           {"outputs", record.outputs}};
  for (const ProgramRecord::Step& step : record.steps) {
    Json entry{{"id", step.id},
               {"op", step.op},
               {"attributes", attributes_of(step.attributes)},
               {"operands", step.operands}};
    add_type(step.type, entry);
    entry["view"] = step.is_view;
    out["nodes"].push_back(std::move(entry));
  }
  return out;
}

Json layouts(const std::vector<LayoutRecord>& all) {
  Json out = Json::array();
  for (const LayoutRecord& layout : all)
    out.push_back({{"value", layout.value}, {"order", layout.order}});
  return out;
}

// What is known, by its word.
template <class Fact>
std::string word(const std::optional<Fact>& fact) {
  return fact ? std::string(to_string(*fact)) : "";
}

// Of reasons, by their words: those that there are.
template <class Reason, std::size_t N>
Json counts(const std::array<std::size_t, N>& numbers) {
  Json out = Json::object();
  for (std::size_t i = 0; i < N; ++i)
    if (numbers[i] > 0) out[std::string(to_string(static_cast<Reason>(i)))] = numbers[i];
  return out;
}

Json discarded(const SubprogramRecord& record) {
  Json out = counts<Discarded>(record.discarded);
  if (record.left > 0) out[tolerant::kLeft] = record.left;
  return out;
}

Json correction(const std::optional<CorrectionRecord>& corrected) {
  if (!corrected) return nullptr;
  return {{"wrong", encoded(corrected->wrong)}, {"wrong_share", corrected->share}};
}

Json place(const PlaceRecord& record) {
  Json out{{"subprogram", record.subprogram}, {"place", record.name}, {"outputs", record.outputs}};
  add_mutant(record.mutant, out);
  out["saved_ms"] = record.saved_ms;
  out["ratio"] = speedup(record.ratio);
  out["corrected"] = correction(record.correction);
  out["before"] = program(record.before);
  out["after"] = program(record.after);
  out["layouts"] = {{"inputs", layouts(record.inputs)}, {"outputs", layouts(record.results)}};
  return out;
}

Json measured(const std::vector<MeasuredRecord>& all) {
  Json out = Json::array();
  for (const MeasuredRecord& record : all) {
    Json entry = Json::object();
    add_mutant(record.mutant, entry);
    entry["decision"] = word(record.decision);
    entry["ratio"] = speedup(record.ratio);
    entry["original_ms"] = record.original_ms;
    entry["candidate_ms"] = record.candidate_ms;
    out.push_back(std::move(entry));
  }
  return out;
}

Json failed(const std::vector<FailedRecord>& all) {
  Json out = Json::array();
  for (const FailedRecord& record : all) {
    Json entry = Json::object();
    add_mutant(record.mutant, entry);
    entry["why"] = record.why;
    out.push_back(std::move(entry));
  }
  return out;
}

Json subprogram(const SubprogramRecord& s) {
  return {{"number", s.number},
          {"operators", s.operators},
          {"place", s.place},
          {"places", s.places},
          {"nodes", s.nodes},
          {"generated", s.generated},
          {"distinct", s.distinct},
          {"pruned", counts<Pruned>(s.pruned)},
          {"proposed", s.proposed},
          {"checked", s.checked},
          {"not_checked", s.not_checked},
          {"equal", or_null(s.equal)},
          {"partial", or_null(s.partial)},
          {"corrected", or_null(s.corrected)},
          {"discarded", discarded(s)},
          {"best_ratio", or_null(s.best_ratio)},
          {"measured", measured(s.measured)},
          {"failed", failed(s.failed)}};
}

void add_whole(const RunRecord& r, Json& out) {
  out["model"] = r.model;
  out["original"] = r.original;
  out["optimized"] = r.optimized;
  out["changed"] = r.changed;
  out["reason"] = r.reason;
  out["bytes"] = {{"original", r.bytes_original}, {"optimized", r.bytes_optimized}};
  out["target"] = {{"name", r.target.name},
                   {"version", r.target.version},
                   {"device", r.target.device},
                   {"threads", r.target.threads}};
  out["original_ms"] = times(r.original_times);
  out["optimized_ms"] = times(r.optimized_times);
  out["speedup"] = speedup(r.speedup);
  out["promised_ms"] = or_null(r.promised_ms);
  out["rejected"] = Json::array();
  for (const AttemptRecord& attempt : r.rejected) {
    out["rejected"].push_back({{"mutants", attempt.mutants},
                               {"reason", attempt.reason},
                               {"speedup", attempt.ratio ? speedup(*attempt.ratio) : Json()},
                               {"promised_ms", or_null(attempt.promised_ms)}});
  }
}

void add_trust(const RunRecord& r, Json& out) {
  const TrustRecord& t = r.trust;
  out["verdict"] = word(t.verdict);
  out["log2_error"] = or_null(t.log2_error);
  out["proved_at"] = t.proved_at;
  out["fixed_sizes"] = t.fixed;
  out["folded"] = {{"count", 0}};
  out["primes"] = t.primes;
  out["weight_programs"] = t.weight_programs;
  out["constants_left"] = Json::array();
  for (const LeftConstant& left : t.left)
    out["constants_left"].push_back({{"what", left.what}, {"reason", left.reason}});
  out["operators"] = {{"original", r.operators_before}};
  if (!r.operators_after.empty()) out["operators"]["optimized"] = r.operators_after;
  out["limits"] = {{"search_s", or_null(r.limits.search_s)},
                   {"max_rel_error", or_null(r.limits.max_rel_error)},
                   {"max_growth", or_null(r.limits.max_growth)}};
  out["growth_of_sums"] = t.growth;
  out["numeric"] = {{"max_abs", t.numeric.max_abs},
                    {"max_rel", t.numeric.max_rel},
                    {"max_rel_of_channel", t.numeric.max_rel_of_channel}};
}

void add_search(const RunRecord& r, Json& out) {
  out["subprograms"] = Json::array();
  for (const SubprogramRecord& s : r.subprograms) out["subprograms"].push_back(subprogram(s));
  out["chosen"] = Json::array();
  out["places"] = Json::array();
  for (const PlaceRecord& p : r.places) {
    out["chosen"].push_back({{"subprogram", p.subprogram},
                             {"place", p.name},
                             {"mutant", in_words(p.mutant.moves)},
                             {"corrections", is_corrected(p.mutant) ? 1 : 0},
                             {"saved_ms", p.saved_ms}});
    out["places"].push_back(place(p));
  }
  out["search"] = {{"stop", word(r.effort.stop)},
                   {"proposed", r.effort.proposed},
                   {"verified", r.effort.verified},
                   {"measured", r.effort.measured},
                   {"measuring_s", r.effort.measuring_s.value_or(0)}};
  out["measurements"] = {{"made", r.effort.made}, {"reused", r.effort.reused}};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json to_json(const RunRecord& r) {
  Json out = Json::object();
  add_whole(r, out);
  add_trust(r, out);
  add_search(r, out);
  out["attempts"] = r.attempts;
  out["seconds"] = r.seconds;
  out["peak_rss_mib"] = r.peak_rss_mib;
  out["seed"] = r.seed;
  out["proof_seed"] = text_or_null(r.trust.proof_seed);
  out["certificate"] = text_or_null(r.trust.certificate);
  return out;
}

}  // namespace pet
