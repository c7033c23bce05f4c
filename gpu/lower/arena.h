// When the buffers of a plan live, and where.
#pragma once

#include "gpu/launch/plan.h"

namespace pet::gpu {

// Sets first, last, stays and offset of every buffer, `once` of every launch, and the arena.
void lay_out(Plan& plan);

}  // namespace pet::gpu
