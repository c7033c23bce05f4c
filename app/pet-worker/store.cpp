#include "app/pet-worker/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/util/digest.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestBlob = std::uint64_t{64} << 30;

Status check_name(const std::string& digest) {
  const bool is_digest = digest.size() == 64 && std::ranges::all_of(digest, [](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                         });
  if (is_digest) return Done{};
  return Error{fmt::format("'{}' is no digest", printable(digest.substr(0, 80))),
               ErrorKind::Malformed};
}

Result<std::vector<std::byte>> bytes_of(const fs::path& file, std::uint64_t offset,
                                        std::uint64_t most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return Error{"a blob cannot be read", ErrorKind::Tool};
  const auto size = static_cast<std::uint64_t>(in.tellg());
  if (offset > size) return Error{"an offset behind the end of a blob", ErrorKind::Malformed};
  std::vector<std::byte> out(std::min(most, size - offset));
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!in) return Error{"a blob cannot be read", ErrorKind::Tool};
  return out;
}

Status append(const fs::path& file, std::uint64_t offset, std::span<const std::byte> part) {
  std::ofstream out(file, std::ios::binary | (offset == 0 ? std::ios::trunc : std::ios::app));
  out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
  out.close();
  if (!out) return Error{"a blob cannot be written", ErrorKind::Tool};
  return Done{};
}

}  // namespace

Result<BlobStore> BlobStore::open(const std::string& folder) {
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed)
    return Error{fmt::format("--store {}: {}", printable(folder), failed.message()),
                 ErrorKind::Usage};
  return BlobStore(folder);
}

Status BlobStore::make_folder() {
  if (!folder_.empty()) return Done{};
  auto scratch = ScratchFolder::make("pet_worker");
  if (!scratch) return std::move(scratch).error();
  folder_ = scratch->path();
  *scratch_ = *std::move(scratch);
  return Done{};
}

std::function<void()> BlobStore::remover() const {
  return [it = std::weak_ptr(scratch_)] {
    std::error_code failed;
    if (const auto there = it.lock(); there && *there) fs::remove_all((*there)->path(), failed);
  };
}

Result<bool> BlobStore::has(const std::string& digest) const {
  if (auto named = check_name(digest); !named) return std::move(named).error();
  std::error_code failed;
  return !folder_.empty() && fs::exists(place(digest), failed);
}

Result<std::uint64_t> BlobStore::put(const std::string& digest, std::uint64_t size,
                                     std::uint64_t offset, std::span<const std::byte> part) {
  if (auto named = check_name(digest); !named) return std::move(named).error();
  if (auto made = make_folder(); !made) return std::move(made).error();
  const fs::path growing = folder_ / (digest + ".part");
  std::error_code failed;
  const std::uint64_t there = offset == 0 ? 0 : fs::file_size(growing, failed);
  if (failed || there != offset || size > kLargestBlob || part.size() > kLargestPart ||
      part.size() > size - offset)
    return Error{"a part of a blob that does not follow the one before", ErrorKind::Malformed};
  if (auto written = append(growing, offset, part); !written) return std::move(written).error();
  const std::uint64_t now = offset + part.size();
  if (now < size) return now;
  const auto whole = bytes_of(growing, 0, size);
  if (!whole) return whole.error();
  if (plain_digest(*whole).hex() != digest) {
    fs::remove(growing, failed);
    return Error{"a blob that has another digest", ErrorKind::Malformed};
  }
  fs::rename(growing, place(digest), failed);
  if (failed) return Error{"a blob cannot be written", ErrorKind::Tool};
  return now;
}

Result<std::vector<std::byte>> BlobStore::get(const std::string& digest,
                                              std::uint64_t offset) const {
  const auto where = file(digest);
  if (!where) return where.error();
  return bytes_of(*where, offset, kLargestPart);
}

Result<std::string> BlobStore::keep(std::span<const std::byte> bytes) {
  const std::string digest = plain_digest(bytes).hex();
  if (auto made = make_folder(); !made) return std::move(made).error();
  if (auto written = append(place(digest), 0, bytes); !written) return std::move(written).error();
  return digest;
}

Result<fs::path> BlobStore::file(const std::string& digest) const {
  const auto known = has(digest);
  if (!known) return known.error();
  if (!*known) return Error{fmt::format("there is no blob {}", digest), ErrorKind::Malformed};
  return place(digest);
}

}  // namespace pet::app
