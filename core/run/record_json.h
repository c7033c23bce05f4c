// The record of a run as JSON: the report of `pet optimize`. One writer and one reader.
#pragma once

#include <nlohmann/json.hpp>

#include "core/run/record.h"

namespace pet {

nlohmann::ordered_json to_json(const RunRecord& record);

// Whether a JSON value is a report at all.
bool is_report(const nlohmann::json& json);
// Takes what it finds: members that are missing, or of another kind than they were written as, are
// empty in the record. Moves that older reports have in words are `move::Said`.
RunRecord record_of(const nlohmann::json& report);

}  // namespace pet
