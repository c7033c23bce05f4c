// Writing a file so that it is either whole or not there: into a new file beside it, flushed to the
// disk, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "core/util/result.h"

namespace pet {

// Whether the name stands for an open descriptor, as /dev/stdout does, whatever that is of: a file
// of that name would take its place.
bool is_open_descriptor(const std::filesystem::path& path);

// The file that a link, or a link to a link, stands for, whether it is there or not.
std::filesystem::path behind_links(std::filesystem::path file);

// Through links, which stay what they are. `fill` writes to the descriptor and says whether that
// worked; errno tells why not. Whatever fails, nothing is left behind and a file that stood there
// before stays as it was.
Status write_atomically(const std::filesystem::path& path, const std::function<bool(int)>& fill);

// All the bytes, or false and errno.
bool write_all(int fd, std::span<const std::byte> bytes);

}  // namespace pet
