#include "core/util/file_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/util/printable.h"

namespace pet {
namespace {

// What a cache near the processor holds, so that whoever takes a piece finds it there.
constexpr std::size_t kPiece = std::size_t{1} << 18;

Error cannot_read(const std::filesystem::path& path, const std::string& why,
                  ErrorKind kind = ErrorKind::Malformed) {
  return {fmt::format("cannot read {}: {}", printable(path.string()), why), kind};
}

}  // namespace

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
  // Without O_NONBLOCK a named pipe would hang before we can refuse it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_read(path, std::strerror(errno));
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return cannot_read(path, "no regular file");
  }
  return FileReader(path, descriptor, static_cast<std::size_t>(info.st_size));
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      done_(other.done_) {}

FileReader::~FileReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Error FileReader::failed(const std::string& why, ErrorKind kind) const {
  return cannot_read(path_, why, kind);
}

Result<std::size_t> FileReader::read(std::span<std::byte> into) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  const std::size_t wanted = std::min(into.size(), size_ - done_);
  for (std::size_t got = 0; got < wanted;) {
    const ssize_t more = ::read(descriptor_, into.data() + got, std::min(kAtOnce, wanted - got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return failed(std::strerror(errno));
    if (more == 0) return failed("it grew shorter while it was read");
    got += static_cast<std::size_t>(more);
  }
  done_ += wanted;
  return wanted;
}

Status FileReader::each_piece(const std::function<void(std::span<const std::byte>)>& take) {
  std::vector<std::byte> piece(std::min(kPiece, size_ - done_));
  while (done_ < size_) {
    const auto got = read(piece);
    if (!got) return got.error();
    take(std::span(piece).first(*got));
  }
  return Done{};
}

Status add_file(Digester& digester, const std::filesystem::path& path) {
  auto file = FileReader::open(path);
  if (!file) return std::move(file).error();
  digester.add(static_cast<std::uint64_t>(file->size()));
  return file->each_piece([&](std::span<const std::byte> piece) { digester.append(piece); });
}

}  // namespace pet
