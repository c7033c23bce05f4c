#include "app/common/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "core/util/atomic_file.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& path, int error) {
  return {fmt::format("cannot write {}: {}", printable(path.string()), std::strerror(error)),
          ErrorKind::Tool};
}

bool is_device(const fs::path& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  return is_open_descriptor(path) ||
         (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

}  // namespace

Status check_writable(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || !path.has_filename() || fs::is_directory(path, ignored)) {
    return Error{fmt::format("{} is no name of a file; name the file to write",
                             path.empty() ? "''" : printable(path.string())),
                 ErrorKind::Usage};
  }
  if (is_device(path)) {
    return Error{fmt::format("cannot write {}: no regular file", printable(path.string())),
                 ErrorKind::Usage};
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!fs::is_directory(folder, ignored)) {
    return Error{fmt::format("cannot write {}: there is no folder {}; make it first",
                             printable(path.string()), printable(folder.string())),
                 ErrorKind::Usage};
  }
  // Permissions do not tell of a read-only or strange file system; an attempt does.
  const std::string probe = fmt::format("{}.probe-{}", path.string(), ::getpid());
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    const int error = errno;
    return Error{
        fmt::format("cannot write {}: no file can be made in the folder {}: {}; name another",
                    printable(path.string()), printable(folder.string()), std::strerror(error)),
        ErrorKind::Tool};
  }
  ::close(fd);
  ::unlink(probe.c_str());
  return Done{};
}

Status check_writable_log(const fs::path& path) {
  return is_device(path) ? Status(Done{}) : check_writable(path);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::equivalent(a, b, failed)) return true;
  std::error_code failed_b;
  const auto x = fs::weakly_canonical(behind_links(a), failed);
  const auto y = fs::weakly_canonical(behind_links(b), failed_b);
  return !failed && !failed_b && x == y;
}

Status keep(std::span<const fs::path> read, std::span<const fs::path> written) {
  for (const fs::path& file : read) {
    for (const fs::path& output : written) {
      if (!output.empty() && is_same_file(file, output))
        return Error{fmt::format("{} would be written over", printable(file.string())),
                     ErrorKind::Usage};
    }
  }
  return Done{};
}

Status check_rewritable(const fs::path& from, const fs::path& to) {
  if (is_same_file(from, to)) {
    return Error{
        fmt::format("{} would be overwritten; name another file with -o", printable(from.string())),
        ErrorKind::Usage};
  }
  return check_writable(to);
}

Result<std::vector<fs::path>> files_below(const fs::path& folder,
                                          std::span<const std::string_view> extensions) {
  std::vector<fs::path> out;
  std::error_code failure;
  for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    auto extension = it->path().extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool wanted =
        std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    // Whoever opens what is no file, or cannot be reached, says so: it is not passed over.
    std::error_code unknown;
    if (wanted && !it->is_directory(unknown)) out.push_back(it->path());
  }
  if (failure) return Error{printable(folder.string()) + ": " + failure.message()};
  std::sort(out.begin(), out.end());
  return out;
}

Status write_text(const fs::path& path, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  if (!is_device(path)) return write_atomically(path, [&](int fd) { return write_all(fd, bytes); });
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return cannot_write(path, errno);
  const bool good = write_all(fd, bytes);
  const int error = errno;
  ::close(fd);
  return good ? Status(Done{}) : Status(cannot_write(path, error));
}

}  // namespace pet::app
