// What every program does alike on its command line: exit codes, how an error is told, sizes and
// times.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/onnx/model.h"

namespace pet::app {

enum ExitCode : int {
  kDone = 0,
  kNotEqual = 1,  // of pet-verify only
  kUsage = 2,
  kFailed = 3,  // a tool; of pet-verify also: no answer
  kBadInput = 4,
  kDisagreement = 5,
  kStopped = 130,
};

ExitCode code_of(ErrorKind kind);

// Prints on stderr. Where nobody listens (it is closed, the terminal is gone) that is no reason to
// end: the work goes on.
void say(std::string_view text);

// Prints "program: message" on stderr, one line, and says which exit code that is.
int fail(std::string_view program, const Error& error);

// The exit code of `body`; where it throws or its output cannot be written, says so.
int guarded(std::string_view program, const std::function<int()>& body);

// To the error stream: what the file declares of extents and the operators contradict.
void warn_of_stale(std::string_view program, const Model& model);

// "120s", "2m", "1.5h", "250ms" or a bare number of seconds.
Result<double> parse_seconds(const std::string& text);

}  // namespace pet::app
