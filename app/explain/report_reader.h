// The two kinds of files that explanations are read from.
#pragma once

#include "app/explain/explanation.h"
#include "app/explain/tolerant_json.h"

namespace pet::explain {

Explanation from_report(const Json& report);
Result<Explanation> from_journal(const JournalContent& journal, const PlacesOfJournal& places_of);

std::vector<Place> places_of(const Json& places);
Speedup speedup_of(const Json& json);
Subprogram subprogram_of(const Json& json);

}  // namespace pet::explain
