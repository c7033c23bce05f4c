// JSON made wrong that stays JSON: keys taken out, renamed, doubled, values put in each other's
// place.
#pragma once

#include <string>

#include "tests/fuzz/hostile/changes.h"

namespace pet::fuzz {

// `text` as it is where it is no JSON.
std::string changed_json(const std::string& text, const Pool& pool, Rng& rng);

// The same of one line of many.
std::string changed_json_line(const std::string& text, const Pool& pool, Rng& rng);

}  // namespace pet::fuzz
