// Programs in ONNX's textual syntax: verification cases (two programs a file) and printing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/onnx/model.h"

namespace pet {

// The operator set of a case that names none, and of to_text.
inline constexpr int kCaseOpset = 17;

// A file of comment lines "# key: value" (expect, opset, ...) followed by
//   original (float[2,3] X, ...) => (float[2,3] Y) <float[2] w = {1, 2}> { Y = Relu(X) }
//   mutant   (...) => (...) { ... }
// Inputs of the same name are the same input. Operators that we do not know are errors here.
struct CaseFile {
  std::map<std::string, std::string> headers;
  Model original;
  Model mutant;
};

Result<CaseFile> read_case(const std::filesystem::path& path, const ReadOptions& options = {});
Result<CaseFile> parse_case(std::string_view text, const std::string& where,
                            const ReadOptions& options = {});

// The program in that syntax. Constants of more than a few elements, and those that the syntax
// cannot express, become inputs with a comment that names their digest.
std::string to_text(const Graph& graph, const std::string& name);

}  // namespace pet
