// The changed places of a journal's accepted file, as `pet explain` shows them: their programs are
// made once more from the model.
#pragma once

#include <stop_token>

#include "core/run/record_of_journal.h"

namespace pet::app {

// `model`: where it is; empty: where the journal says, or beside the journal.
PlacesOfJournal journal_places(std::string journal, std::string model, std::stop_token stop);

}  // namespace pet::app
