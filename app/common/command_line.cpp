#include "app/common/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

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

int fail(std::string_view program, const Error& error) {
  fmt::print(stderr, "{}: {}\n", program, error.message);
  return code_of(error.kind);
}

std::optional<int> parse_or_tell(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help, --version
    fmt::print(stderr, "{}: {}; see --help\n", app.get_name(), printable(problem.what()));
    return kUsage;
  }
}

int guarded(std::string_view program, const std::function<int()>& body) {
  try {
    const int code = body();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "{}: cannot write to standard output: {}\n", program, std::strerror(errno));
    return code == kDone ? kFailed : code;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{}: out of memory\n", program);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", program, printable(problem.what()));
  }
  return kFailed;
}

Result<std::map<std::string, Dim>> parse_shapes(const std::vector<std::string>& flags) {
  std::map<std::string, Dim> out;
  for (const std::string& flag : flags) {
    const auto equals = flag.rfind('=');
    Dim size = 0;
    bool good = equals != std::string::npos && equals > 0;
    if (good) {
      const char* end = flag.data() + flag.size();
      const auto [rest, problem] = std::from_chars(flag.data() + equals + 1, end, size);
      good = problem == std::errc() && rest == end && size > 0;
    }
    if (!good) {
      return Error{fmt::format("--shape {}: expected name=N with a positive size, as in batch=1",
                               printable(flag)),
                   ErrorKind::Usage};
    }
    const auto [at, is_new] = out.emplace(flag.substr(0, equals), size);
    if (!is_new && at->second != size) {
      return Error{fmt::format("--shape {}: given twice, with different sizes",
                               printable(flag.substr(0, equals))),
                   ErrorKind::Usage};
    }
  }
  return out;
}

Status check_shapes(const std::map<std::string, Dim>& asked, std::span<const Model* const> models) {
  for (const auto& [name, size] : asked) {
    const std::string& wanted = name;
    const bool known = std::ranges::any_of(
        models, [&](const Model* model) { return model->dimensions.contains(wanted); });
    if (known) continue;
    return Error{fmt::format("--shape {}={}: no file leaves a dimension of that name open",
                             printable(name), size),
                 ErrorKind::Usage};
  }
  return Done{};
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
