// Comparisons as fields of JSON lines: every sample in whole nanoseconds, the ratio, the decision.
// Internal to what keeps comparisons in files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/backend/profiler.h"

namespace pet {

// Adds "decision", "ratio", "a_ns" and "b_ns".
void add_comparison(nlohmann::ordered_json& line, const Comparison& comparison);
// nullopt: a field is missing, or makes no sense. It took 0 seconds.
std::optional<Comparison> comparison_in(const nlohmann::ordered_json& line);

std::string date_now();  // "2026-11-29T01:07:00Z"

}  // namespace pet
