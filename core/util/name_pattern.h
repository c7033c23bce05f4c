// Names that a user asks for by patterns: * and ? stand for other characters.
#pragma once

#include <string>
#include <vector>

namespace pet {

bool matches_any(const std::string& name, const std::vector<std::string>& patterns);

}  // namespace pet
