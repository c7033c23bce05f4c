#include "core/backend/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "core/util/printable.h"

namespace pet {

Result<ScratchFolder> ScratchFolder::make(std::string_view prefix) {
  std::error_code failure;
  const auto parent = std::filesystem::temp_directory_path(failure);
  if (failure) {
    const char* chosen = std::getenv("TMPDIR");
    return Error{fmt::format("there is no folder {} for temporary files ({}); set TMPDIR to one",
                             chosen != nullptr ? printable(chosen) : "/tmp", failure.message()),
                 ErrorKind::Tool};
  }
  std::string name = (parent / fmt::format("{}_XXXXXX", prefix)).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return Error{fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR to another",
                             printable(parent.string()), std::strerror(errno)),
                 ErrorKind::Tool};
  }
  return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace pet
