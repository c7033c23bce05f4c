#include "core/onnx/file_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "core/util/file_reader.h"

namespace pet::onnx_io {
namespace {

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

using SharedBytes = std::shared_ptr<const std::byte[]>;

// Whether the file holds exactly these bytes.
bool holds(int file, std::span<const std::byte> bytes) {
  std::vector<std::byte> piece(std::size_t{1} << 20);
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t size = std::min(piece.size(), bytes.size() - done);
    const ssize_t got = ::pread(file, piece.data(), size, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    const auto length = static_cast<std::size_t>(got);
    if (std::memcmp(piece.data(), bytes.data() + done, length) != 0) return false;
    done += length;
  }
  return true;
}

// What is in memory of large files, by its size.
class LargeFiles {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 20;

  // The bytes of the file where they are here already.
  SharedBytes find(int file, std::size_t size) {
    for (const SharedBytes& held : of_size(size))
      if (holds(file, {held.get(), size})) return held;
    return nullptr;
  }

  void add(std::size_t size, const SharedBytes& bytes) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
    all_.emplace(size, bytes);
  }

 private:
  std::vector<SharedBytes> of_size(std::size_t size) {
    const std::lock_guard lock(mutex_);
    std::vector<SharedBytes> out;
    const auto [first, end] = all_.equal_range(size);
    for (auto it = first; it != end; ++it)
      if (auto held = it->second.lock()) out.push_back(std::move(held));
    return out;
  }

  std::mutex mutex_;
  std::multimap<std::size_t, std::weak_ptr<const std::byte[]>> all_;
};

LargeFiles& large_files() {
  static LargeFiles all;
  return all;
}

}  // namespace

Result<FileBytes> FileBytes::read(const std::filesystem::path& path, const Limit& limit) {
  auto file = FileReader::open(path);
  if (!file) return std::move(file).error();
  const std::size_t size = file->size();
  if (size > limit.most) return file->failed(limit.words, ErrorKind::Unsupported);
  if (size >= LargeFiles::kLeast) {
    if (auto held = large_files().find(file->descriptor(), size))
      return FileBytes(std::move(held), size);
  }
  // A file may have holes and be far larger than any memory.
  std::unique_ptr<std::byte[]> data;
  if (size <= memory_of_machine()) data.reset(new (std::nothrow) std::byte[size]);
  if (!data) return file->failed("it does not fit into memory");
  if (auto all = file->read({data.get(), size}); !all) return std::move(all).error();
  SharedBytes held = std::move(data);
  if (size >= LargeFiles::kLeast) large_files().add(size, held);
  return FileBytes(std::move(held), size);
}

}  // namespace pet::onnx_io
