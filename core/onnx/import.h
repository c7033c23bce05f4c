// Internal: from a parsed file to a Model.
#pragma once

#include <memory>

#include "core/onnx/model.h"
#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

// Whether an operator that we cannot interpret becomes an opaque node or an error.
enum class Unknown { Opaque, Refused };

// Whether a call of a function of the file, or an If by a constant, is one opaque node, or what it
// stands for is read in its place. Such a Model is for proofs: its file has no nodes of those
// names.
enum class Calls { Opaque, InPlace };

Result<Model> import_model(std::shared_ptr<const ParsedFile> file, const ReadOptions& options,
                           Unknown unknown, Calls calls = Calls::Opaque);

}  // namespace pet::onnx_io
