// What a run did, as people read it.
#pragma once

#include <string>

#include "core/run/record.h"

namespace pet::viz {

// "resnet18.onnx: 1.53 times as fast (at least 1.50); 3 places changed; proved equivalent, a wrong
// answer has a probability of 2^-84"; or why nothing was changed.
std::string headline_of(const RunRecord& run);
// "where a run was measured": the runtime, its device, its threads.
std::string target_of(const RunRecord& run);
// "1.25x (at least 1.20x)".
std::string in_words(const Speedup& speedup);
// Everything that is known of a place, a line each.
std::string in_words(const PlaceRecord& place);

}  // namespace pet::viz
