// A device that is emulated: the launches of a plan computed here, and every mistake that a device
// would make silently found. Buffers hold nothing until they are written; what is read before, or
// outside of its buffer, or not written by the launch that should, is an Error.
#pragma once

#include <map>
#include <stop_token>

#include "core/util/result.h"
#include "gpu/launch/plan.h"

namespace pet::gpu {

// The outputs, in the plan's order. REQUIRES: as many inputs as the plan has, of their sizes
Result<std::vector<std::vector<float>>> emulate(const Plan& plan,
                                                std::span<const std::span<const float>> inputs,
                                                const std::stop_token& stop = {});

}  // namespace pet::gpu
