// What a worker was sent: bytes by their digest, in a folder that goes with it. Nothing is read or
// written outside of it: a name is a digest or it is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
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
  // In that folder, which stays, or in one that is deleted in the end. That one is made for the
  // first blob: a worker that is killed leaves nothing behind where nothing was sent.
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
  // Deletes it before its end, for whoever cannot wait for that; nothing once it has ended.
  std::function<void()> remover() const;

 private:
  explicit BlobStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Status make_folder();
  std::filesystem::path place(const std::string& digest) const { return folder_ / digest; }

  std::shared_ptr<std::optional<ScratchFolder>> scratch_ =
      std::make_shared<std::optional<ScratchFolder>>();
  std::filesystem::path folder_;  // empty: not made yet
};

}  // namespace pet::app
