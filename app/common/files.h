// Files that a program is asked to write: looked at before any work is done, so that none is lost.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/util/result.h"

namespace pet::app {

// Is there a folder, and can a file be made in it? What stands at `path` must be a regular file or
// nothing.
Status check_writable(const std::filesystem::path& path);

// The same for a log, which may also go to a device or a pipe.
Status check_writable_log(const std::filesystem::path& path);

// Two paths that mean one file, though it may not exist yet.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// None of the files that are going to be written is one of those that are read.
Status keep(std::span<const std::filesystem::path> read,
            std::span<const std::filesystem::path> written);

// Can `to` be made from `from` without losing it?
Status check_rewritable(const std::filesystem::path& from, const std::filesystem::path& to);

// Every file below a folder that has one of these extensions, in order of their paths.
Result<std::vector<std::filesystem::path>> files_below(
    const std::filesystem::path& folder, std::span<const std::string_view> extensions);

// Whole or not at all where it becomes a regular file.
Status write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace pet::app
