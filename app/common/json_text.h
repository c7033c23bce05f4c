// Reports as JSON text, with a newline at the end. What is not UTF-8 is replaced: a file's name
// need not be, JSON must.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pet {

// For programs: one line.
std::string one_line(const nlohmann::ordered_json& value);

// For people: what fits on a line stands on one, so that a box, a position or a witness of
// thousands of numbers can be read. Two blanks a level, lines of up to 100 characters where no
// single text is longer.
std::string readable(const nlohmann::ordered_json& value);

}  // namespace pet
