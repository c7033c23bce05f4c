// The command line of pet-verify.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verify/file_proof.h"

namespace pet::app {

enum ExitCode : int {
  kEqual = 0,
  kNotEqual = 1,
  kUsage = 2,
  kUnknown = 3,
  kBadInput = 4,
  kDisagree = 5,
  kStopped = 130,
};

enum class Format { Text, Json };

struct Options {
  std::vector<std::filesystem::path> files;  // two models, or one case
  ReadOptions reading;
  FileProofOptions proof;
  Format format = Format::Text;
  std::optional<double> timeout_seconds;
};

// "2^-64" or a number below 1, as log2.
std::optional<double> parse_error_bound(const std::string& text);
// "90", "90s", "2m", "1h", in seconds.
std::optional<double> parse_duration(const std::string& text);

// Options, or the exit code where there is nothing to do (help, version, a wrong command line); has
// said why.
std::variant<Options, int> parse_command_line(int argc, const char* const* argv);

}  // namespace pet::app
