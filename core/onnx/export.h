// Programs as ONNX files. Every file is written beside its target and renamed: whole or not at all.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/ir/replacement.h"
#include "core/onnx/model.h"

namespace pet {

// The model as it was read: the source file byte for byte where its bytes are still there, else the
// same content. Weights that the file keeps elsewhere are taken in when the target lies in another
// folder.
Status write_model(const Model& model, const std::filesystem::path& path);

// What becomes of dimensions that the file leaves open, and whose sizes the reading fixed.
enum class OpenSizes {
  Fixed,     // they are those
  LeftOpen,  // whether what is new holds at others is for the caller to show
};

// The model with values of its graph replaced. Everything untouched stays as it was, in its order;
// what only the replaced nodes needed goes. Existing metadata stays; entries of the same key are
// replaced. REQUIRES: of every replacement as many inputs and outputs as its program has, of the
// same types;
//           outputs are made by nodes of the file, each replaced once; no opaque node in a program
Status write_rewritten(const Model& model, std::span<const Replacement> replacements,
                       const std::map<std::string, std::string>& metadata,
                       const std::filesystem::path& path, OpenSizes sizes = OpenSizes::Fixed);

// A program alone, with inputs in0, in1, ... and outputs out0, out1, ... Graphs of equal digest
// give equal bytes, whatever their values are called. REQUIRES: no opaque nodes, known shapes.
Status write_program(const Graph& graph, int opset, const std::filesystem::path& path);

// The same for those who read of its nodes: inputs, outputs and nodes are called as in the program,
// where that is free. In the first operator set from that of a case on that has all its operators.
Status write_named_program(const Graph& graph, const std::filesystem::path& path);

}  // namespace pet
