// Where the window keeps what is its own, after the XDG base directory specification.
#pragma once

#include <filesystem>
#include <optional>

namespace pet::app {

// Nothing where the environment names none.
std::optional<std::filesystem::path> config_folder();
std::optional<std::filesystem::path> state_folder();
std::optional<std::filesystem::path> cache_folder();

}  // namespace pet::app
