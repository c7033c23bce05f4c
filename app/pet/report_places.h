// The changed places of a file as the report has them: what was computed there, what it became,
// and in which order of axes it reads and yields its values.
#pragma once

#include <nlohmann/json.hpp>

#include "app/explain/search_record.h"
#include "core/search/search.h"

namespace pet::app {

nlohmann::ordered_json places_of(const Graph& model, const std::vector<Choice>& chosen,
                                 const explain::SearchRecord& record);

// How many operators of each name compute with activations.
nlohmann::ordered_json operator_counts(const Graph& graph);

}  // namespace pet::app
