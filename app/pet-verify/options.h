// The command line of pet-verify.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verify/file_proof.h"

namespace pet::app {

enum class Format { Text, Json };

struct Options {
  std::vector<std::filesystem::path> files;  // two models, or one case
  ReadOptions reading;
  FileProofOptions proof;
  Format format = Format::Text;
  std::optional<double> timeout_seconds;
  std::filesystem::path bundle = ".";  // where a disagreement between engines is kept
};

// "2^-64" or a number below 1, as log2.
std::optional<double> parse_error_bound(const std::string& text);

// Options, or the exit code where there is nothing to do (help, version, a wrong command line); has
// said why.
std::variant<Options, int> parse_command_line(int argc, const char* const* argv);

}  // namespace pet::app
