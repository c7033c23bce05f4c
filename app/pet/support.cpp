#include "app/pet/support.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <thread>

namespace pet::app {

int fail(const Error& error) {
  fmt::print(stderr, "pet: {}\n", error.message);
  switch (error.kind) {
    case ErrorKind::Malformed:
    case ErrorKind::Unsupported:
      return kMalformed;
    case ErrorKind::Usage:
      return kUsage;
    case ErrorKind::Tool:
      return kToolFailure;
    case ErrorKind::Stopped:
      return kStopped;
  }
  return kToolFailure;
}

Result<std::map<std::string, Dim>> parse_shapes(const std::vector<std::string>& flags) {
  std::map<std::string, Dim> out;
  for (const std::string& flag : flags) {
    const auto equals = flag.rfind('=');
    Dim size = -1;
    const char* end = flag.data() + flag.size();
    const bool read = equals != std::string::npos && equals > 0 &&
                      std::from_chars(flag.data() + equals + 1, end, size).ptr == end;
    if (!read || size < 1) {
      return Error{
          fmt::format("--shape {}: expected name=size with a positive size, as in --shape batch=1",
                      flag),
          ErrorKind::Usage};
    }
    out[flag.substr(0, equals)] = size;
  }
  return out;
}

Result<double> parse_seconds(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const double scale = unit.empty() || unit == "s" ? 1
                       : unit == "m"               ? 60
                       : unit == "h"               ? 3600
                       : unit == "ms"              ? 0.001
                                                   : 0;
  if (problem != std::errc() || scale == 0 || !(value > 0) || !std::isfinite(value)) {
    return Error{fmt::format("{}: expected a time such as 120s, 2m or 1h", text), ErrorKind::Usage};
  }
  return value * scale;
}

double peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

std::size_t all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace pet::app
