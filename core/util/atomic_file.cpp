#include "core/util/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
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

constexpr int kMostLinks = 40;

// Nothing for what is no link.
std::optional<std::filesystem::path> behind_link(const std::filesystem::path& file) {
  std::error_code failure;
  const auto target = std::filesystem::read_symlink(file, failure);
  if (failure) return std::nullopt;
  return file.parent_path() / target;
}

bool lies_among_descriptors(const std::filesystem::path& file) {
  std::error_code failure;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const auto place = std::filesystem::weakly_canonical(folder, failure).string() + '/';
  return !failure && place.starts_with("/proc/") && place.ends_with("/fd/");
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

std::filesystem::path behind_links(std::filesystem::path file) {
  for (int links = 0; links < kMostLinks; ++links) {
    auto next = behind_link(file);
    if (!next) break;
    file = *std::move(next);
  }
  return file;
}

bool is_open_descriptor(const std::filesystem::path& path) {
  std::optional<std::filesystem::path> file = path;
  for (int links = 0; file && links < kMostLinks; ++links) {
    if (lies_among_descriptors(*file)) return true;
    file = behind_link(*file);
  }
  return false;
}

Status write_atomically(const std::filesystem::path& name, const std::function<bool(int)>& fill) {
  const auto path = behind_links(name);
  std::error_code failure;
  if (std::filesystem::is_symlink(path, failure)) return failed(name, ELOOP);
  struct stat info {};
  if (is_open_descriptor(name) || (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))) {
    return Error{fmt::format("cannot write {}: no regular file", printable(name.string())),
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
