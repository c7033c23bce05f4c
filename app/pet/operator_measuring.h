// How single operators are measured for a model in a target, and where what they took is kept.
#pragma once

#include <string>
#include <vector>

#include "core/backend/measured_costs.h"
#include "core/onnx/model.h"

namespace pet::app {

// `worker`: the command that started the runtime. `cache`: a file; "off": nothing is kept; empty:
// the user's own.
MeasuredCosts::Options operator_measuring(const Model& model, const BackendInfo& runtime,
                                          const std::vector<std::string>& worker,
                                          const LoadOptions& load, const std::string& cache,
                                          std::stop_token stop);

}  // namespace pet::app
