// Internal: from a parsed file to a Model.
#pragma once

#include <memory>

#include "core/onnx/model.h"
#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

// Whether an operator that we cannot interpret becomes an opaque node or an error.
enum class Unknown { Opaque, Refused };

Result<Model> import_model(std::shared_ptr<const ParsedFile> file, const ReadOptions& options,
                           Unknown unknown);

}  // namespace pet::onnx_io
