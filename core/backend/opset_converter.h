// Files of another operator set, by the onnx package's own converter: app/opset_converter in a
// process of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/util/result.h"

namespace pet {

struct ConvertedOpset {
  std::int64_t from = 0;
  std::size_t nodes_before = 0;
  std::size_t nodes_after = 0;
  std::string converter;  // the version of the onnx package
};

// Writes `out`. An Error where the converter does not take the file, or there is none.
// PET_OPSET_CONVERTER names another one than that of this program or of the source tree.
Result<ConvertedOpset> convert_opset(const std::filesystem::path& in,
                                     const std::filesystem::path& out, int opset);

}  // namespace pet
