#include "app/pet-workbench/folders.h"

#include <cstdlib>

namespace pet::app {
namespace {

// The specification has paths that are not absolute ignored.
std::optional<std::filesystem::path> absolute(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

std::optional<std::filesystem::path> folder(const char* variable, const char* in_home) {
  if (const auto chosen = absolute(variable)) return *chosen / "pet-workbench";
  if (const auto home = absolute("HOME")) return *home / in_home / "pet-workbench";
  return std::nullopt;
}

}  // namespace

std::optional<std::filesystem::path> config_folder() {
  return folder("XDG_CONFIG_HOME", ".config");
}
std::optional<std::filesystem::path> state_folder() {
  return folder("XDG_STATE_HOME", ".local/state");
}
std::optional<std::filesystem::path> cache_folder() { return folder("XDG_CACHE_HOME", ".cache"); }

}  // namespace pet::app
