// What every subcommand of `pet` shares: exit codes, how an error is told, sizes given on the
// command line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/result.h"

namespace pet::app {

enum ExitCode : int {
  kDone = 0,
  kUsage = 2,
  kToolFailure = 3,
  kMalformed = 4,
  kDisagreement = 5,
  kStopped = 130
};

// Prints "pet: ..." on stderr, one line, and says which exit code that is.
int fail(const Error& error);

// {"batch=2", "input:1=3"} -> sizes by name.
Result<std::map<std::string, Dim>> parse_shapes(const std::vector<std::string>& flags);

// "120s", "2m", "1.5h" or a bare number of seconds.
Result<double> parse_seconds(const std::string& text);

double peak_rss_mib();
std::string cpu_name();
std::size_t all_threads();

}  // namespace pet::app
