// Weight programs in a file: how its constants follow from those of the file that it replaces, kept
// in its metadata.
#pragma once

#include <optional>
#include <string>

#include "core/ir/weight_programs.h"
#include "core/onnx/model.h"

namespace pet {

inline constexpr std::string_view kWeightProgramsKey = "pet.weight_programs";

// As the metadata hold them: an ONNX model in base64. Operands and results are named by digests; a
// result that has the bits of an operand is primed.
Result<std::string> encoded(const WeightPrograms& programs);

// The same back. An Error where they cannot be read, are too large, hold operators without a
// meaning, or explain a constant twice.
Result<WeightPrograms> decoded(const std::string& text);

// Nothing where the file carries none. Else as decoded().
Result<std::optional<WeightPrograms>> weight_programs_of(const Model& model);

}  // namespace pet
