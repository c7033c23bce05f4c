#include "app/explain/search_record.h"

#include <algorithm>
#include <cmath>

#include "core/util/median.h"
#include "core/util/overloaded.h"

namespace pet::explain {

using Json = nlohmann::ordered_json;

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
            ++s.verified;
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
            const Json high = std::isfinite(c.ratio.high) ? Json(c.ratio.high) : Json();
            of(e.subprogram)
                .measured.push_back(
                    {{"mutant", e.how},
                     {"decision", to_string(c.decision)},
                     {"ratio", {{"median", c.ratio.median}, {"low", c.ratio.low}, {"high", high}}},
                     {"original_ms", median(c.timing.a_ms)},
                     {"candidate_ms", median(c.timing.b_ms)}});
          },
          [&](const CandidateFailed& e) {
            of(e.subprogram).failed.push_back({{"mutant", e.how}, {"why", e.why}});
          },
          [](const auto&) {}},
      event);
}

Json SearchRecord::subprograms() const {
  Json out = Json::array();
  for (const Subprogram& s : subprograms_) {
    Json discarded = Json::object();
    for (std::size_t why = 0; why < kDiscardedReasons; ++why) {
      const std::size_t number = s.counted.discarded[why];
      if (number > 0) discarded[std::string(to_string(static_cast<Discarded>(why)))] = number;
    }
    const GeneratorCounters& generator = s.counted.generator;
    Json pruned = Json::object();
    for (std::size_t why = 0; why < kPrunedReasons; ++why) {
      if (generator.pruned[why] > 0)
        pruned[std::string(to_string(static_cast<Pruned>(why)))] = generator.pruned[why];
    }
    out.push_back({{"number", s.found.number},
                   {"operators", s.found.operators},
                   {"place", s.found.place},
                   {"places", s.found.places},
                   {"nodes", generator.nodes},
                   {"programs", generator.programs},
                   {"pruned", std::move(pruned)},
                   {"proposed", s.counted.proposed},
                   {"verified", s.verified},
                   {"partial", s.partial},
                   {"corrected", s.corrected.size()},
                   {"discarded", std::move(discarded)},
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
