#include "core/run/recorder.h"

#include <algorithm>

#include "core/util/median.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

// Nothing where it is not known: none was found, and not all were looked at.
std::optional<std::size_t> known(std::size_t found, bool all) {
  return found > 0 || all ? std::optional(found) : std::nullopt;
}

std::size_t count_of(const auto& verified, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      verified, [&](const auto& entry) { return entry.second.outcome == outcome; }));
}

}  // namespace

Recorder::Subprogram& Recorder::of(std::size_t number) {
  const auto [it, is_new] = place_.try_emplace(number, subprograms_.size());
  if (is_new) subprograms_.emplace_back().found.number = number;
  return subprograms_[it->second];
}

const Lineage* Recorder::lineage(std::size_t subprogram, MutantId mutant) const {
  const auto at = place_.find(subprogram);
  if (at == place_.end()) return nullptr;
  const auto& lineages = subprograms_[at->second].lineages;
  const auto found = lineages.find(mutant);
  return found == lineages.end() ? nullptr : &found->second;
}

// What was looked at closely: a correction is looked at for the sake of what it corrects.
MutantId Recorder::subject(const Subprogram& subprogram, MutantId mutant) {
  const auto found = subprogram.corrections.find(mutant);
  return found == subprogram.corrections.end() ? mutant : found->second;
}

// What a plan uses is looked at once more, everywhere. That says nothing new of a mutant; of a
// correction it says that it is none, where it is not equal.
void Recorder::verified(const MutantVerified& event) {
  Subprogram& s = of(event.subprogram);
  if (s.corrections.contains(event.mutant)) {
    if (event.outcome != Outcome::Equivalent) s.wrong_corrections.insert(event.mutant);
    return;
  }
  s.verified.try_emplace(event.mutant, event);
  s.looked_at.insert(event.mutant);
}

void Recorder::measured(const CandidateMeasured& event) {
  const Comparison& c = event.comparison;
  effort_.measuring_s = effort_.measuring_s.value_or(0) + c.seconds;
  Subprogram& s = of(event.subprogram);
  const Lineage* told = lineage(event.subprogram, event.mutant);
  Lineage mutant = told != nullptr ? *told : Lineage{event.mutant, {}, 0, {}};
  s.looked_at.insert(subject(s, event.mutant));
  s.measured.push_back({std::move(mutant), c.decision, speedup_of(c.ratio), median(c.timing.a_ms),
                        median(c.timing.b_ms)});
}

void Recorder::add(const Event& event) {
  std::visit(overloaded{[&](const SubprogramFound& e) { of(e.number).found = e; },
                        [&](const MutantsCounted& e) { of(e.subprogram).counted = e; },
                        [&](const MutantShown& e) {
                          of(e.subprogram).lineages.insert_or_assign(e.mutant.id, e.mutant);
                        },
                        [&](const MutantVerified& e) { verified(e); },
                        [&](const MutantCorrected& e) {
                          if (e.outcome == Outcome::Equivalent)
                            of(e.subprogram).corrections.insert_or_assign(e.corrected, e.mutant);
                        },
                        [&](const CandidateMeasured& e) { measured(e); },
                        [&](const CandidateFailed& e) {
                          const Lineage* told = lineage(e.subprogram, e.mutant);
                          Lineage mutant = told != nullptr ? *told : Lineage{e.mutant, {}, 0, {}};
                          Subprogram& s = of(e.subprogram);
                          s.looked_at.insert(subject(s, e.mutant));
                          s.failed.push_back({std::move(mutant), e.why});
                        },
                        [&](const SearchFinished& e) {
                          effort_.stop = e.reason;
                          effort_.proposed = e.proposed;
                          effort_.verified = e.verified;
                          effort_.measured = e.measured;
                        },
                        [](const auto&) {}},
             event);
}

namespace {

// What became of mutants that nobody measured.
void add_dropped(const MutantsCounted& counted, std::size_t looked_at, SubprogramRecord& out) {
  std::size_t told = looked_at;
  for (std::size_t why = 0; why < kDiscardedReasons; ++why) {
    const auto reason = static_cast<Discarded>(why);
    if (reason != Discarded::NotCorrectable && reason != Discarded::DifferentEverywhere)
      told += counted.discarded[why];
  }
  out.left = counted.proposed - std::min(counted.proposed, told);
  out.discarded = counted.discarded;
  // The generator drops most of these before they are proposed.
  out.discarded[static_cast<std::size_t>(Discarded::FingerprintAllWrong)] +=
      counted.generator.pruned[static_cast<std::size_t>(Pruned::Fingerprint)];
}

}  // namespace

SubprogramRecord Recorder::record_of(const Subprogram& s) const {
  const GeneratorCounters& generator = s.counted.generator;
  SubprogramRecord out;
  out.number = s.found.number;
  out.operators = s.found.operators;
  out.place = s.found.place;
  out.places = s.found.places;
  out.nodes = generator.nodes;
  out.distinct = generator.programs;
  out.generated =
      generator.programs + generator.pruned[static_cast<std::size_t>(Pruned::SeenProgram)];
  out.pruned = generator.pruned;
  out.proposed = s.counted.proposed;
  out.checked = s.verified.size();
  out.not_checked = out.proposed - std::min(out.proposed, out.checked);
  const bool all = out.not_checked == 0;
  out.equal = known(count_of(s.verified, Outcome::Equivalent), all);
  out.partial = known(count_of(s.verified, Outcome::Partial), all);
  std::set<MutantId> corrected;
  for (const auto& [correction, mutant] : s.corrections)
    if (!s.wrong_corrections.contains(correction)) corrected.insert(mutant);
  out.corrected = known(corrected.size(), all);
  add_dropped(s.counted, s.looked_at.size(), out);
  out.measured = s.measured;
  out.failed = s.failed;
  for (const MeasuredRecord& measured : s.measured)
    out.best_ratio = std::max(out.best_ratio.value_or(0), measured.ratio.median);
  return out;
}

std::vector<SubprogramRecord> Recorder::subprograms() const {
  std::vector<SubprogramRecord> out;
  for (const Subprogram& s : subprograms_) out.push_back(record_of(s));
  return out;
}

std::optional<CorrectionRecord> Recorder::correction(std::size_t subprogram,
                                                     const Lineage& mutant) const {
  const auto at = place_.find(subprogram);
  if (at == place_.end()) return std::nullopt;
  const Subprogram& s = subprograms_[at->second];
  // A later round may have gone on from what was corrected: the nearest correction counts. Parents
  // were proposed before their children, whatever a file says.
  std::optional<MutantId> made = mutant.id;
  while (made && !s.corrections.contains(*made)) {
    const Lineage* told = lineage(subprogram, *made);
    const bool has_older = told != nullptr && told->parent && *told->parent < *made;
    made = has_older ? told->parent : std::nullopt;
  }
  if (!made || s.wrong_corrections.contains(*made)) return std::nullopt;
  const auto wrong = s.verified.find(s.corrections.at(*made));
  if (wrong == s.verified.end()) return std::nullopt;
  return CorrectionRecord{wrong->second.wrong, wrong->second.wrong_share};
}

const MeasuredRecord* Recorder::measured(std::size_t subprogram, MutantId mutant) const {
  const auto at = place_.find(subprogram);
  if (at == place_.end()) return nullptr;
  const auto& all = subprograms_[at->second].measured;
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const MeasuredRecord& measured) {
    return measured.mutant.id == mutant;
  });
  return found == all.rend() ? nullptr : &*found;
}

}  // namespace pet
