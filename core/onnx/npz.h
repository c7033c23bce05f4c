// Arrays in a file of numpy.savez: a ZIP archive that holds NAME.npy for each, as it is in memory.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/ir/tensor.h"
#include "core/util/result.h"

namespace pet::onnx_io {

class FileBytes;

class Npz {
 public:
  // An Error where it is no such archive, or one of its entries is compressed.
  static Result<Npz> read(const std::filesystem::path& path);

  // The array of that name. An Error where there is none, or it is of another type or shape.
  Result<Tensor> at(const std::string& name, const TensorType& type) const;

 private:
  std::shared_ptr<const FileBytes> file_;
  std::map<std::string, std::span<const std::byte>> entries_;  // into the file, by name
};

}  // namespace pet::onnx_io
