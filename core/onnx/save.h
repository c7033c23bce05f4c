// Internal: putting a model message on the disk.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <span>
#include <string>

#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

Status save(const ::onnx::ModelProto& proto, const std::filesystem::path& path);

// A program alone, with its inputs and outputs under the given names. REQUIRES: no opaque nodes,
// known shapes. `keeps_names`: whether nodes are called as in the program.
Result<::onnx::ModelProto> program_message(const Graph& graph, int opset,
                                           std::span<const std::string> inputs,
                                           std::span<const std::string> outputs,
                                           bool keeps_names = false);

// A copy of the file's content for writing to `path`: references to external data stay where they
// lead to the same files from there; else the data is taken in or, where that is more than one
// file of ONNX should hold, brought along: its files are copied into the folder of `path` under
// their own names, unless they are there. Usage: other ones of that name are.
Result<::onnx::ModelProto> copy_for(const ParsedFile& file, const std::filesystem::path& path);

}  // namespace pet::onnx_io
