// One line more at the end of a file that several processes write to and that any of them may leave
// in the middle of a line.
#pragma once

#include <filesystem>
#include <string_view>

namespace pet {

// Makes the file where there is none. False, and errno, where that cannot be done; a line that is
// cut off (a full disk) is followed by nothing else, so readers can skip it.
// REQUIRES: no newline in `line`
bool append_line(const std::filesystem::path& path, std::string_view line);

}  // namespace pet
