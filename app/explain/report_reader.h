// The two kinds of files that explanations are read from.
#pragma once

#include "app/explain/explanation.h"
#include "app/explain/tolerant_json.h"
#include "core/search/journal.h"

namespace pet::explain {

Explanation from_report(const Json& report);
Explanation from_journal(const JournalContent& journal);

Speedup speedup_of(const Json& json);
Subprogram subprogram_of(const Json& json);

}  // namespace pet::explain
