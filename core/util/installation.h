// Where the files of this project lie that belong to its programs: beside them once they are
// installed, else in the source tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pet {

struct OwnFile {
  std::string installed;  // below the prefix of an installed program <prefix>/bin/x
  std::string source;     // in the source tree
};

// Below <prefix>/share (or what the system has instead).
std::string installed_data(const std::string& path);

// Where it may lie, the likelier one first.
std::vector<std::filesystem::path> places_of(const OwnFile& file);

}  // namespace pet
