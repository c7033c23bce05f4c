#include "app/common/command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "core/util/printable.h"

namespace pet::app {

ExitCode code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Malformed:
    case ErrorKind::Unsupported:
      return kBadInput;
    case ErrorKind::Usage:
      return kUsage;
    case ErrorKind::Tool:
      return kFailed;
    case ErrorKind::Stopped:
      return kStopped;
  }
  return kFailed;
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int fail(std::string_view program, const Error& error) {
  say(fmt::format("{}: {}\n", program, error.message));
  return code_of(error.kind);
}

namespace {

// A file that is opened while 0, 1 or 2 is closed would get that number, and with it what is
// printed.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest that is free: this one. Nobody reads it, so printing there fails as before.
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int guarded(std::string_view program, const std::function<int()>& body) {
  occupy_standard_streams();
  const auto lost_output = [&](int error) {
    say(fmt::format("{}: cannot write to standard output{}\n", program,
                    error == 0 ? "" : fmt::format(": {}", std::strerror(error))));
    return kFailed;
  };
  try {
    const int code = body();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const int failed = lost_output(errno);
    return code == kDone ? failed : code;
  } catch (const std::bad_alloc&) {
    say(fmt::format("{}: out of memory\n", program));
  } catch (const std::system_error& problem) {
    if (std::ferror(stdout) != 0) return lost_output(problem.code().value());
    say(fmt::format("{}: {}\n", program, printable(problem.what())));
  } catch (const std::exception& problem) {
    say(fmt::format("{}: {}\n", program, printable(problem.what())));
  }
  return kFailed;
}

void warn_of_stale(std::string_view program, const Model& model) {
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < std::min(kMost, model.stale.size()); ++i)
    say(fmt::format("{}: warning: {}: {}: the declaration is not believed\n", program,
                    printable(model.path.string()), model.stale[i]));
  if (model.stale.size() > kMost)
    say(fmt::format("{}: warning: {}: and {} more of {} such declarations\n", program,
                    printable(model.path.string()), model.stale.size() - kMost,
                    model.stale.size()));
}

Result<double> parse_seconds(const std::string& text) {
  constexpr double kLongest = 1e9;  // more than anybody waits, and still a number of milliseconds
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const double scale = unit.empty() || unit == "s" ? 1
                       : unit == "m"               ? 60
                       : unit == "h"               ? 3600
                       : unit == "ms"              ? 0.001
                                                   : 0;
  const double seconds = value * scale;
  if (problem != std::errc() || !(seconds > 0) || !(seconds <= kLongest)) {
    return Error{fmt::format("'{}' is no time: expected 120s, 2m or 1h", printable(text)),
                 ErrorKind::Usage};
  }
  return seconds;
}

}  // namespace pet::app
