// An explanation as plain text, no line longer than 100 columns.
#pragma once

#include "app/explain/document.h"

namespace pet::explain {

std::string as_text(const Document& document);

// One line a value, what is new marked with a +.
std::vector<std::string> listing(const ProgramRecord& program, const std::vector<bool>& is_new);

// Lines of at most `width` columns, all but the first behind `indent` spaces.
std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace pet::explain
