// The record of a run as far as its journal tells it.
#pragma once

#include <functional>

#include "core/run/recorder.h"
#include "core/search/journal.h"

namespace pet {

// The places of the plan that the journal's run accepted; a journal names their programs, whoever
// has the model can make them once more. An Error says why it cannot be done.
using PlacesOfJournal = std::function<Result<std::vector<PlaceRecord>>(
    const JournalContent& journal, const PlanTried& plan, const Recorder& recorder)>;

// An Error where `places_of` was stopped. Otherwise the places are without their programs where
// these cannot be had, and the record says why.
Result<RunRecord> record_of(const JournalContent& journal, const PlacesOfJournal& places_of);

}  // namespace pet
