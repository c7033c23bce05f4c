#include "core/util/name_pattern.h"

#include <fnmatch.h>

#include <algorithm>

namespace pet {

bool matches_any(const std::string& name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

}  // namespace pet
