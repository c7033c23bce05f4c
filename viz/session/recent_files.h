// The files that were opened last, kept in a small file of our own. One that is missing or broken
// costs nothing but the memory.
#pragma once

#include <filesystem>
#include <vector>

#include "core/util/result.h"

namespace pet::viz {

inline constexpr std::size_t kMostRecent = 8;

using RecentFiles = std::vector<std::filesystem::path>;  // the newest first

// With that file in front.
RecentFiles with(RecentFiles files, const std::filesystem::path& newest);

// None where there is no such file. An Error where it cannot be understood.
Result<RecentFiles> read_recent(const std::filesystem::path& from);
Status write_recent(const RecentFiles& files, const std::filesystem::path& to);

}  // namespace pet::viz
