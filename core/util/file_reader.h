// A regular file read once from its beginning, piece by piece: who only digests or parses a large
// file needs no memory for the whole of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet {

class FileReader {
 public:
  // An Error where it is no regular file or cannot be opened: "cannot read F: ..."
  static Result<FileReader> open(const std::filesystem::path& path);
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  // What it held when it was opened. Nothing that is added later is read, and an Error says where
  // it has become shorter.
  std::size_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  // Fills `into` as far as the file goes, and says how far that is.
  Result<std::size_t> read(std::span<std::byte> into);
  // All that has not been read yet.
  Status each_piece(const std::function<void(std::span<const std::byte>)>& take);

  // An Error about this file.
  Error failed(const std::string& why, ErrorKind kind = ErrorKind::Malformed) const;

 private:
  FileReader(std::filesystem::path path, int descriptor, std::size_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

  std::filesystem::path path_;
  int descriptor_;
  std::size_t size_;
  std::size_t done_ = 0;
};

// The bytes of a file as one part of what is digested.
Status add_file(Digester& digester, const std::filesystem::path& path);

}  // namespace pet
