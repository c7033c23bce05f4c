// ONNX files made wrong that can still be parsed: fields taken out, repeated, exchanged, numbers
// and names replaced, at any depth.
#pragma once

#include <string>

#include "tests/fuzz/hostile/changes.h"

namespace pet::fuzz {

// `bytes` as they are where they cannot be parsed.
std::string changed_model(const std::string& bytes, const Pool& pool, Rng& rng);

}  // namespace pet::fuzz
