// A regular file, mapped for reading. Constants may point into it, so it lives as long as they do.
// Its memory is the page cache's: a file that somebody truncates meanwhile cannot be read safely,
// as with every mapping.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/util/result.h"

namespace pet::onnx_io {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pet::onnx_io
