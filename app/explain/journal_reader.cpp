#include <fmt/format.h>

#include "app/explain/report_reader.h"
#include "app/explain/search_record.h"
#include "core/util/overloaded.h"

namespace pet::explain {
namespace {

void add_plan(const PlanTried& plan, Explanation& out) {
  if (plan.accepted) {
    out.reason = fmt::format("a file with {} of them was accepted", plan.parts.size());
    return;
  }
  out.attempts.push_back({plan.parts.size(), plan.reason, std::nullopt});
  if (plan.ratio) out.attempts.back().ratio = {plan.ratio->median, plan.ratio->low, std::nullopt};
}

}  // namespace

Explanation from_journal(const JournalContent& journal) {
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
  return out;
}

}  // namespace pet::explain
