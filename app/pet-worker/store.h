// What a worker was sent: bytes by their digest, in a folder that goes with it. Nothing is read or
// written outside of it: a name is a digest or it is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/scratch_folder.h"
#include "core/util/result.h"

namespace pet::app {

inline constexpr std::size_t kLargestPart = std::size_t{8} << 20;

class BlobStore {
 public:
  // In that folder, which stays, or in one that is deleted in the end.
  static Result<BlobStore> open(const std::string& folder);

  // Digests are 64 hexadecimal digits: BLAKE2b-256 of the bytes.
  Result<bool> has(const std::string& digest) const;
  // The next part of a blob of that size; how much of it is there now. After the last one the
  // digest is checked: what has another one is refused and forgotten.
  Result<std::uint64_t> put(const std::string& digest, std::uint64_t size, std::uint64_t offset,
                            std::span<const std::byte> part);
  Result<std::vector<std::byte>> get(const std::string& digest, std::uint64_t offset) const;
  Result<std::string> keep(std::span<const std::byte> bytes);  // its digest
  Result<std::filesystem::path> file(const std::string& digest) const;

 private:
  explicit BlobStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path place(const std::string& digest) const { return folder_ / digest; }

  std::optional<ScratchFolder> scratch_;
  std::filesystem::path folder_;
};

}  // namespace pet::app
