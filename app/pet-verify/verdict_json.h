// A verdict to be kept and read back: everything that reports and expectations are made of. The
// report of a verdict (report.h) is for others and says less.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/program/equivalence.h"

namespace pet::app {

// Nothing where it cannot be kept whole: names that are no UTF-8, more wrong boxes than are listed.
// A TestRecord is no part of it.
std::optional<nlohmann::ordered_json> to_json(const Verdict& verdict);

// Nothing where it makes no sense. `equal_at` is there as if ProofOptions::in_detail had asked.
std::optional<Verdict> verdict_of(const nlohmann::ordered_json& json);

}  // namespace pet::app
