// A folder of our own for files that live as long as this object.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "core/util/result.h"

namespace pet {

class ScratchFolder {
 public:
  static Result<ScratchFolder> make(
      std::string_view prefix);  // below the system's folder for temporary files

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace pet
