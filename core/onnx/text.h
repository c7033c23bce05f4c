// Programs in ONNX's textual syntax: verification cases (two programs a file) and printing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/onnx/model.h"

namespace pet {

// The operator set of a case that names none, and of to_text.
inline constexpr int kCaseOpset = 17;

inline constexpr std::size_t kLargestCase = std::size_t{1} << 22;  // bytes

// A file of comment lines "# key: value" (expect, opset, ...) followed by
//   original (float[2,3] X, ...) => (float[2,3] Y) <float[2] w = {1, 2}> { Y = Relu(X) }
//   mutant   (...) => (...) { ... }
// Inputs of the same name are the same input. "# opset: 12 13" are the operator sets of both, one
// after the other. Operators that we do not know are errors here, but after "# operators: any",
// which reads them as files are read: they are opaque.
struct CaseFile {
  std::map<std::string, std::string> headers;
  Model original;
  Model mutant;
};

// The text of such a file. What is no regular file, or larger than kLargestCase, is an Error.
Result<std::string> read_case_text(const std::filesystem::path& path);
Result<CaseFile> read_case(const std::filesystem::path& path, const ReadOptions& options = {});
Result<CaseFile> parse_case(std::string_view text, const std::string& where,
                            const ReadOptions& options = {});

// The program in that syntax. Constants of more than a few elements, and those that the syntax
// cannot express, become inputs with a comment that names their digest.
std::string to_text(const Graph& graph, const std::string& name);

// Two programs as a file that parse_case takes: inputs of the same name are one input, outputs are
// called by their place, constants are written out; in the first operator set from kCaseOpset on
// that has all their operators. An Error where the syntax has no words for something: an operator
// without a meaning of ours, a constant that is no finite number or too long, an unknown type.
Result<std::string> to_case_text(const Graph& original, const Graph& mutant);

}  // namespace pet
