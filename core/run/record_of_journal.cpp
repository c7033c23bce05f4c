#include "core/run/record_of_journal.h"

#include <algorithm>

#include "core/run/rule_way.h"
#include "core/search/regenerate.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

void add_plan(const PlanTried& plan, RunRecord& out) {
  ++out.attempts;
  if (plan.accepted) {
    out.changed = true;
    out.original_times = {plan.original_ms, plan.original_ms, 0};
    out.optimized_times = {plan.optimized_ms, plan.optimized_ms, 0};
    if (plan.ratio) out.speedup = speedup_of(*plan.ratio);
    out.promised_ms = plan.saved_ms;
    return;
  }
  out.rejected.push_back({plan.parts.size(), plan.reason, std::nullopt, plan.saved_ms});
  if (plan.ratio) out.rejected.back().ratio = speedup_of(*plan.ratio);
}

// What was measured of what is in the plan; the programs are not known.
std::vector<PlaceRecord> bare_places(const PlanTried& plan, const Recorder& recorder) {
  std::vector<PlaceRecord> out;
  for (const PlanTried::Part& part : plan.parts) {
    PlaceRecord& place = out.emplace_back();
    place.subprogram = part.subprogram;
    place.name = part.place;
    place.mutant.id = part.mutant;
    if (const Lineage* told = recorder.lineage(part.subprogram, part.mutant)) place.mutant = *told;
    place.correction = recorder.correction(part.subprogram, place.mutant);
    const MeasuredRecord* measured = recorder.measured(part.subprogram, part.mutant);
    if (measured == nullptr) continue;
    place.ratio = measured->ratio;
    place.saved_ms = measured->original_ms * (1 - 1 / measured->ratio.median);
  }
  return out;
}

Status add_places(const JournalContent& journal, const Recorder& recorder,
                  const PlacesOfJournal& places_of, RunRecord& out) {
  const PlanTried* plan = accepted_plan(journal);
  if (plan == nullptr) return Done{};
  auto places = places_of(journal, *plan, recorder);
  if (places) {
    out.places = *std::move(places);
  } else if (places.error().kind == ErrorKind::Stopped) {
    return places.error();
  } else {
    out.places = bare_places(*plan, recorder);
    out.without_programs = places.error().message;
  }
  return Done{};
}

void add_header(const JournalHeader& header, RunRecord& out) {
  out.model = std::filesystem::path(header.model).filename().string();
  out.target = {header.runtime, header.version, header.device,
                static_cast<std::size_t>(std::max(0, header.threads))};
  out.limits.search_s = header.budget_s;
  out.seed = seed_of(header.config);
}

}  // namespace

Result<RunRecord> record_of(const JournalContent& journal, const PlacesOfJournal& places_of) {
  RunRecord out;
  out.source = RunRecord::Source::Journal;
  add_header(journal.header, out);
  Recorder recorder;
  bool is_over = false;
  for (const JournalContent::Entry& entry : journal.entries) {
    recorder.add(entry.event);
    if (const auto* plan = std::get_if<PlanTried>(&entry.event)) add_plan(*plan, out);
    if (!is_over) out.seconds["search"] = entry.seconds;
    is_over = is_over || std::holds_alternative<SearchFinished>(entry.event);
  }
  out.effort = recorder.effort();
  out.subprograms = recorder.subprograms();
  out.rule_way = rule_way(journal);
  if (auto done = add_places(journal, recorder, places_of, out); !done)
    return std::move(done).error();
  return out;
}

}  // namespace pet
