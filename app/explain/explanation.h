// A file of a run, whichever it is, as the record that it tells of.
#pragma once

#include <filesystem>

#include "core/run/record_of_journal.h"

namespace pet::explain {

// Of a report or a journal of `pet optimize`. An Error where there is no file, or one that is
// neither, or where `places_of` was stopped.
Result<RunRecord> read_run(const std::filesystem::path& path, const PlacesOfJournal& places_of);

}  // namespace pet::explain
