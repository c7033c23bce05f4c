// Names come from files of others: control characters in them must not reach a terminal or a log
// line.
#pragma once

#include <string>
#include <string_view>

namespace pet {

// The text with control characters, direction overrides and invalid UTF-8 escaped as \xNN,
// shortened when very long.
std::string printable(std::string_view text);

// The same, whole, and \ as \\: equal only for equal texts, as reports need it.
std::string printable_whole(std::string_view text);

}  // namespace pet
