#include "core/util/installation.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

fs::path install_prefix() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  return failure ? fs::path(PET_INSTALL_PREFIX) : program.parent_path().parent_path();
}

}  // namespace

std::string installed_data(const std::string& path) {
  return std::string(PET_INSTALL_DATADIR) + "/" + path;
}

std::vector<fs::path> places_of(const OwnFile& file) {
  return {install_prefix() / file.installed, fs::path(PET_SOURCE_DIR) / file.source};
}

}  // namespace pet
