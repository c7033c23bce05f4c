// Internal: putting a model message on the disk.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

Status save(const ::onnx::ModelProto& proto, const std::filesystem::path& path);

// A copy of the file's content for writing to `path`: references to external data stay where they
// lead to the same files from there; else the data is taken in.
::onnx::ModelProto copy_for(const ParsedFile& file, const std::filesystem::path& path);

}  // namespace pet::onnx_io
