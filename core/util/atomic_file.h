// Writing a file so that it is either whole or not there: into a new file beside it, flushed to the
// disk, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "core/util/result.h"

namespace pet {

// `fill` writes to the descriptor and says whether that worked; errno tells why not. Whatever
// fails, nothing is left behind and a file that stood there before stays as it was.
Status write_atomically(const std::filesystem::path& path, const std::function<bool(int)>& fill);

// All the bytes, or false and errno.
bool write_all(int fd, std::span<const std::byte> bytes);

}  // namespace pet
