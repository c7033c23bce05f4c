// How constants of a file follow from the constants of the file that it replaces: small programs,
// kept in its metadata (theory: section 6a). Constants are named by their bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/onnx/model.h"

namespace pet {

struct WeightPrograms {
  Graph graph;                  // each input is named by the digest, in hex, of what it stands for
  std::vector<Digest> results;  // the constants that the outputs yield once they are rounded
};

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
