// Text inside HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace pet {

// With nothing left in it that a parser would take for markup, in text or in an attribute.
std::string escaped(std::string_view text);

}  // namespace pet
