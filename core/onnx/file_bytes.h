// The bytes of a regular file, as they were when it was read: what is proved of them stays true of
// them, whatever becomes of the file. Constants may point into them, so they live as long as those
// do. Large files that hold the same bytes (the weights of a model, and of one that was made of it)
// are in memory once: what is read is held against what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "core/util/result.h"

namespace pet::onnx_io {

class FileBytes {
 public:
  // What is larger than `most` is an Error that says so, in words that follow "cannot read F: ".
  struct Limit {
    std::size_t most;
    const char* words;
  };
  static Result<FileBytes> read(const std::filesystem::path& path,
                                const Limit& limit = {SIZE_MAX, ""});

  std::span<const std::byte> bytes() const { return {data_.get(), size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_.get()), size_}; }

 private:
  FileBytes(std::shared_ptr<const std::byte[]> data, std::size_t size)
      : data_(std::move(data)), size_(size) {}

  std::shared_ptr<const std::byte[]> data_;
  std::size_t size_ = 0;
};

}  // namespace pet::onnx_io
