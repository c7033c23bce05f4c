#include "core/onnx/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Why not; empty where it was.
std::string read_whole(int file, std::byte* data, std::size_t size) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file, data + done, std::min(kAtOnce, size - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::strerror(errno);
    if (got == 0) return "it grew shorter while it was read";
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace

Result<FileBytes> FileBytes::read(const std::filesystem::path& path, const Limit& limit) {
  // Without O_NONBLOCK a named pipe would hang before we can refuse it.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto failed = [&](const std::string& why) {
    return Error{fmt::format("cannot read {}: {}", printable(path.string()), why)};
  };
  if (file < 0) return failed(std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(file);
    return failed("no regular file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > limit.most) {
    ::close(file);
    return Error{fmt::format("cannot read {}: {}", printable(path.string()), limit.words),
                 ErrorKind::Unsupported};
  }
  // A file may have holes and be far larger than any memory.
  std::unique_ptr<std::byte[]> data;
  if (size <= memory_of_machine()) data.reset(new (std::nothrow) std::byte[size]);
  const std::string why = data ? read_whole(file, data.get(), size) : "it does not fit into memory";
  ::close(file);
  if (!why.empty()) return failed(why);
  return FileBytes(std::move(data), size);
}

}  // namespace pet::onnx_io
