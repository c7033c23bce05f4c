#include "core/util/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/util/printable.h"

namespace pet {
namespace {

Error failed(const std::filesystem::path& path, int error) {
  return {fmt::format("cannot write {}: {}", printable(path.string()), std::strerror(error)),
          ErrorKind::Tool};
}

// A new file in the same folder, so that the rename stays within one file system.
int create_beside(const std::filesystem::path& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.part-{}-{}", path.string(), ::getpid(), attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

void flush_folder(const std::filesystem::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

bool write_all(int fd, std::span<const std::byte> bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 24;
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), std::min(bytes.size(), kAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

Status write_atomically(const std::filesystem::path& path, const std::function<bool(int)>& fill) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return Error{fmt::format("cannot write {}: no regular file", printable(path.string())),
                 ErrorKind::Usage};
  }
  std::string beside;
  const int fd = create_beside(path, beside);
  if (fd < 0) return failed(path, errno);
  errno = 0;
  bool good = fill(fd) && ::fsync(fd) == 0;
  int error = errno;
  if (::close(fd) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && ::rename(beside.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (!good) {
    ::unlink(beside.c_str());
    return failed(path, error == 0 ? EIO : error);
  }
  flush_folder(path);
  return Done{};
}

}  // namespace pet
