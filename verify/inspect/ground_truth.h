// Every element of an output looked at by itself: what the boxes of the region engine, which looks
// at none, are held against.
#pragma once

#include "core/program/inspector.h"

namespace pet {

// By the exact engine where the pair is small enough for it, else by the bitmap engine. An Error
// where neither decides every element, or stopped.
Result<InspectedTruth> ground_truth(const Graph& original, const Graph& mutant, std::size_t output,
                                    const std::stop_token& stop);

}  // namespace pet
