// Internal: the parsed file behind a Model, with the external data that its tensors refer to.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ir/tensor.h"
#include "core/onnx/file_bytes.h"
#include "core/util/result.h"

namespace pet::onnx_io {

struct ParsedFile {
  ::onnx::ModelProto proto;
  std::filesystem::path path;
  Digest digest;                              // of everything
  Digest bytes_digest;                        // of this file alone
  std::map<std::string, FileBytes> external;  // by location as the file writes it
  std::map<const ::onnx::TensorProto*, std::span<const std::byte>>
      outside;  // bytes of tensors that live there
  std::vector<std::span<const std::byte>>
      outside_in_order;  // the same as for_each_tensor meets them
};

// Reads and parses, resolves external data, digests everything.
Result<std::shared_ptr<const ParsedFile>> parse_file(const std::filesystem::path& path);

// The same of bytes that are no file; they may not refer to any either.
Result<std::shared_ptr<const ParsedFile>> parse_bytes(std::span<const std::byte> bytes,
                                                      const std::string& where);

// Every tensor of the model at any depth, in the file's order.
void for_each_tensor(::onnx::ModelProto& model,
                     const std::function<void(::onnx::TensorProto&)>& visit);

bool is_external(const ::onnx::TensorProto& tensor);

// The elements of a tensor. Points into the parsed file where the bytes stand there as they are
// needed.
Result<std::shared_ptr<const Tensor>> read_tensor(const ::onnx::TensorProto& tensor,
                                                  const std::shared_ptr<const ParsedFile>& file);

// The number of bytes that the tensor's type and extents ask for.
Result<std::size_t> byte_size(const ::onnx::TensorProto& tensor);

// A scalar or list as a tensor message with raw bytes.
void fill_tensor(::onnx::TensorProto& to, const Tensor& from, const std::string& name);

}  // namespace pet::onnx_io
