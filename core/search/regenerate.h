// The programs that a journal's plan chose: a journal names them by their digests, and they follow
// from the model, the configuration and the moves that led to them.
#pragma once

#include "core/onnx/model.h"
#include "core/search/journal.h"
#include "core/search/search.h"

namespace pet {

// After the last accepted plan nothing else was tried; nullptr: none was accepted.
const PlanTried* accepted_plan(const JournalContent& content);

// `progress` hears before each of them how many are there, and of how many. An Error where one
// cannot be had: the journal is of another version, or was cut. REQUIRES: `model` is the journal's
Result<std::vector<Choice>> regenerate(
    const Model& model, const JournalContent& content, const PlanTried& plan,
    EquivalenceChecker& checker, const std::function<void(std::size_t, std::size_t)>& progress,
    std::stop_token stop);

}  // namespace pet
