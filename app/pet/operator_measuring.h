// How single operators are measured for a model in a target, and where what they took is kept.
#pragma once

#include <string>

#include "app/common/target.h"
#include "core/backend/measured_costs.h"

namespace pet::app {

// `cache`: a file; "off": nothing is kept; empty: the user's own.
MeasuredCosts::Options operator_measuring(const Model& model, const Target& target,
                                          const LoadOptions& load, const std::string& cache,
                                          std::stop_token stop);

}  // namespace pet::app
