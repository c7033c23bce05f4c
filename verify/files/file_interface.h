// What two ONNX files must have in common before they can be compared (theory: section 6a).
#pragma once

#include <string>

#include "core/onnx/model.h"

namespace pet {

enum class OutputMatch {
  ByName,      // same names in the same order
  ByPosition,  // files of different exporters
};

// What differs between the interfaces of two files, in words; empty where nothing does: input
// names, types, shapes and defaults by bits; output names, order, types and shapes.
std::string interface_mismatch(const Model& original, const Model& mutant, OutputMatch outputs);

}  // namespace pet
