// What a file computes from constants alone is the same at every run, so whether floats can hold it
// is known beforehand. Sizes of sums (conditioning.h) do not see it where the sums of the original
// leave the floats as well and only their signs keep the results inside.
#pragma once

#include <stop_token>
#include <string>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// What a program computes from finite constants alone, as its outputs need it, and no float can
// hold, in words; empty where there is nothing.
Result<std::string> constant_beyond_floats(const Graph& program, std::size_t threads,
                                           const std::stop_token& stop);

}  // namespace pet
