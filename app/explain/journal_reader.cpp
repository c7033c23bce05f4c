#include <fmt/format.h>

#include "app/explain/report_reader.h"
#include "app/explain/search_record.h"
#include "core/search/regenerate.h"
#include "core/util/median.h"
#include "core/util/overloaded.h"

namespace pet::explain {
namespace {

void add_plan(const PlanTried& plan, Explanation& out) {
  if (plan.accepted) {
    out.changed = true;
    out.original_ms = plan.original_ms;
    out.optimized_ms = plan.optimized_ms;
    if (plan.ratio) out.speedup = {plan.ratio->median, plan.ratio->low, std::nullopt};
    return;
  }
  out.attempts.push_back({plan.parts.size(), plan.reason, std::nullopt});
  if (plan.ratio) out.attempts.back().ratio = {plan.ratio->median, plan.ratio->low, std::nullopt};
}

// What was measured of what is in the plan; the programs are not known.
std::vector<Place> bare_places(const JournalContent& journal, const PlanTried& plan) {
  std::vector<Place> out;
  for (const PlanTried::Part& part : plan.parts) {
    Place& place = out.emplace_back();
    place.subprogram = part.subprogram;
    place.name = part.place;
    place.mutant = part.how;
    place.moves = {part.how};
    for (const auto& entry : journal.entries) {
      const auto* measured = std::get_if<CandidateMeasured>(&entry.event);
      if (measured == nullptr || measured->subprogram != part.subprogram ||
          measured->how != part.how)
        continue;
      const Comparison& c = measured->comparison;
      place.ratio = {c.ratio.median, c.ratio.low, std::nullopt};
      place.saved_ms = median(c.timing.a_ms) * (1 - 1 / c.ratio.median);
    }
  }
  return out;
}

Status add_places(const JournalContent& journal, const SearchRecord& record,
                  const PlacesOfJournal& places_of_journal, Explanation& out) {
  const PlanTried* plan = accepted_plan(journal);
  if (plan == nullptr) return Done{};
  const auto places = places_of_journal(journal, *plan, record);
  if (places) {
    out.places = places_of(Json(*places));
  } else if (places.error().kind == ErrorKind::Stopped) {
    return places.error();
  } else {
    out.places = bare_places(journal, *plan);
    out.without_programs = places.error().message;
  }
  return Done{};
}

}  // namespace

Result<Explanation> from_journal(const JournalContent& journal, const PlacesOfJournal& places_of) {
  Explanation out;
  out.source = Explanation::Source::Journal;
  out.model = std::filesystem::path(journal.header.model).filename().string();
  out.target = journal.header.runtime + " " + journal.header.version;
  out.device = journal.header.device;
  out.threads = static_cast<std::size_t>(std::max(0, journal.header.threads));
  out.search_budget_s = journal.header.budget_s;
  SearchRecord record;
  for (const JournalContent::Entry& entry : journal.entries) {
    record.add(entry.event);
    std::visit(overloaded{[&](const SearchFinished& e) {
                            out.stop = to_string(e.reason);
                            out.proposed = e.proposed;
                            out.verified = e.verified;
                            out.measured = e.measured;
                          },
                          [&](const PlanTried& e) { add_plan(e, out); }, [](const auto&) {}},
               entry.event);
    if (!std::holds_alternative<PlanTried>(entry.event)) out.seconds["search"] = entry.seconds;
  }
  out.measuring_s = record.measuring_seconds();
  for (const Json subprogram : record.subprograms())
    out.subprograms.push_back(subprogram_of(subprogram));
  if (auto done = add_places(journal, record, places_of, out); !done)
    return std::move(done).error();
  return out;
}

}  // namespace pet::explain
