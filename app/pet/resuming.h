// What `pet optimize` writes into the first line of a journal, and how it goes on from one.
#pragma once

#include "app/pet/optimize.h"
#include "core/backend/backend.h"
#include "core/onnx/model.h"
#include "core/search/journal.h"

namespace pet::app {

// Of PET's search.
SearchConfig config_of(const OptimizeOptions& options, std::size_t max_steps);
// Of that search by rules that was asked for. An Error: a time that is none.
Result<AnySearchConfig> config_of(const OptimizeOptions& options, std::vector<UsedRules> rules);

JournalHeader header_of(const OptimizeOptions& options, const AnySearchConfig& config,
                        const Model& model, const BackendInfo& runtime, int threads,
                        double budget_s);

// What was asked, with the journal's flags where they steer a search or decide after it.
OptimizeOptions options_of(const JournalHeader& header, OptimizeOptions asked, bool budget_given);

// Would a search here be the journal's? Times of another runtime or machine go with no others.
Status check_resumable(const JournalContent& journal, const Model& model,
                       const BackendInfo& runtime);

// The model, as the journal's search read it.
Result<Model> model_of(const JournalHeader& header, const std::string& path);

}  // namespace pet::app
