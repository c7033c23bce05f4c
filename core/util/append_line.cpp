#include "core/util/append_line.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace pet {
namespace {

// A process that died while it wrote has left half a line; ours must not become its other half.
bool ends_within_a_line(int fd) {
  const auto size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

// One write, so that lines of several processes do not mix.
bool write_at_once(int fd, const std::string& bytes) {
  const auto written = ::write(fd, bytes.data(), bytes.size());
  if (written >= 0 && static_cast<std::size_t>(written) < bytes.size()) errno = ENOSPC;
  return written >= 0 && static_cast<std::size_t>(written) == bytes.size();
}

}  // namespace

bool append_line(const std::filesystem::path& path, std::string_view line) {
  // A pipe that nobody reads must not hold us up; nothing but a file can be read again anyway.
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0) return false;
  struct stat info {};
  bool good = ::fstat(fd, &info) == 0;
  if (good && !S_ISREG(info.st_mode)) {
    errno = EINVAL;
    good = false;
  }
  if (good) {
    std::string bytes = ends_within_a_line(fd) ? "\n" : "";
    bytes += line;
    bytes += '\n';
    good = write_at_once(fd, bytes);
  }
  const int error = errno;
  ::close(fd);
  errno = error;
  return good;
}

}  // namespace pet
