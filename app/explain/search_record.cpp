#include "app/explain/search_record.h"

#include <algorithm>
#include <cmath>

#include "core/util/median.h"
#include "core/util/overloaded.h"

namespace pet::explain {

using Json = nlohmann::ordered_json;

namespace {

// What a mutant was before it was corrected.
std::string uncorrected(const std::string& how) { return how.substr(0, how.find(", corrected ")); }

// Nothing where it is not known: none was found, and not all were looked at.
Json known(std::size_t found, bool all) { return found > 0 || all ? Json(found) : Json(); }

}  // namespace

SearchRecord::Subprogram& SearchRecord::of(std::size_t number) {
  const auto [it, is_new] = place_.try_emplace(number, subprograms_.size());
  if (is_new) subprograms_.emplace_back().found.number = number;
  return subprograms_[it->second];
}

void SearchRecord::add(const Event& event) {
  std::visit(
      overloaded{
          [&](const SubprogramFound& e) { of(e.number).found = e; },
          [&](const MutantsCounted& e) { of(e.subprogram).counted = e; },
          [&](const MutantVerified& e) {
            Subprogram& s = of(e.subprogram);
            // What is used is looked at once more, everywhere.
            if (e.how != uncorrected(e.how)) {
              if (e.outcome != Outcome::Equivalent) s.corrected.erase(uncorrected(e.how));
              return;
            }
            if (!s.verified.insert(e.how).second) return;
            s.looked_at.insert(e.how);
            if (e.outcome == Outcome::Equivalent) ++s.equal;
            if (e.outcome != Outcome::Partial) return;
            ++s.partial;
            s.last_partial = e;
          },
          [&](const MutantCorrected& e) {
            Subprogram& s = of(e.subprogram);
            if (e.outcome == Outcome::Equivalent && s.last_partial && s.last_partial->how == e.how)
              s.corrected.insert_or_assign(e.how, *s.last_partial);
          },
          [&](const CandidateMeasured& e) {
            const Comparison& c = e.comparison;
            measuring_seconds_ += c.seconds;
            Subprogram& s = of(e.subprogram);
            s.looked_at.insert(uncorrected(e.how));
            s.best_ratio = std::max(s.best_ratio.value_or(0), c.ratio.median);
            const Json high = std::isfinite(c.ratio.high) ? Json(c.ratio.high) : Json();
            s.measured.push_back(
                {{"mutant", e.how},
                 {"decision", to_string(c.decision)},
                 {"ratio", {{"median", c.ratio.median}, {"low", c.ratio.low}, {"high", high}}},
                 {"original_ms", median(c.timing.a_ms)},
                 {"candidate_ms", median(c.timing.b_ms)}});
          },
          [&](const CandidateFailed& e) {
            of(e.subprogram).looked_at.insert(uncorrected(e.how));
            of(e.subprogram).failed.push_back({{"mutant", e.how}, {"why", e.why}});
          },
          [](const auto&) {}},
      event);
}

// What became of mutants that nobody measured, by reason.
Json SearchRecord::discarded(const Subprogram& s) {
  Json out = Json::object();
  std::size_t number = 0;
  for (std::size_t why = 0; why < kDiscardedReasons; ++why) {
    std::size_t here = s.counted.discarded[why];
    const auto reason = static_cast<Discarded>(why);
    if (reason != Discarded::NotCorrectable && reason != Discarded::DifferentEverywhere)
      number += here;
    // The generator drops most of these before they are proposed.
    if (reason == Discarded::FingerprintAllWrong)
      here += s.counted.generator.pruned[static_cast<std::size_t>(Pruned::Fingerprint)];
    if (here > 0) out[std::string(to_string(reason))] = here;
  }
  number += s.looked_at.size();
  if (s.counted.proposed > number)
    out["kept until cheaper ones came or the time was up"] = s.counted.proposed - number;
  return out;
}

Json SearchRecord::subprograms() const {
  Json out = Json::array();
  for (const Subprogram& s : subprograms_) {
    const GeneratorCounters& generator = s.counted.generator;
    Json pruned = Json::object();
    for (std::size_t why = 0; why < kPrunedReasons; ++why) {
      if (generator.pruned[why] > 0)
        pruned[std::string(to_string(static_cast<Pruned>(why)))] = generator.pruned[why];
    }
    const auto seen_before = generator.pruned[static_cast<std::size_t>(Pruned::SeenProgram)];
    const std::size_t not_checked =
        s.counted.proposed - std::min(s.counted.proposed, s.verified.size());
    out.push_back({{"number", s.found.number},
                   {"operators", s.found.operators},
                   {"place", s.found.place},
                   {"places", s.found.places},
                   {"nodes", generator.nodes},
                   {"generated", generator.programs + seen_before},
                   {"distinct", generator.programs},
                   {"pruned", std::move(pruned)},
                   {"proposed", s.counted.proposed},
                   {"checked", s.verified.size()},
                   {"not_checked", not_checked},
                   {"equal", known(s.equal, not_checked == 0)},
                   {"partial", known(s.partial, not_checked == 0)},
                   {"corrected", known(s.corrected.size(), not_checked == 0)},
                   {"discarded", discarded(s)},
                   {"best_ratio", s.best_ratio ? Json(*s.best_ratio) : Json()},
                   {"measured", s.measured},
                   {"failed", s.failed}});
  }
  return out;
}

const MutantVerified* SearchRecord::corrected(std::size_t subprogram,
                                              const std::string& how) const {
  const auto at = place_.find(subprogram);
  if (at == place_.end()) return nullptr;
  for (const auto& [mutant, verified] : subprograms_[at->second].corrected) {
    if (how.starts_with(mutant + ", corrected")) return &verified;
  }
  return nullptr;
}

}  // namespace pet::explain
