// A file beside the one that it may become: on the same disk, so that a rename puts it in place.
#pragma once

#include <filesystem>

#include "core/util/result.h"

namespace pet {

// Removes the file unless it was put in place. No other run has one of that name: in containers, or
// on disks that several machines share, process numbers are not told apart.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::filesystem::path& path() const { return path_; }
  // Becomes the target.
  Status put_in_place() const;

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

}  // namespace pet
