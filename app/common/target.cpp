#include "app/common/target.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "core/backend/reference.h"
#include "core/backend/runtime.h"
#include "core/util/printable.h"

namespace pet::app {

Result<Target> start_worker(std::vector<std::string> command, std::stop_token stop) {
  Runtime::Options options{.command = command};
  const char* limit = std::getenv("PET_WORKER_TIMEOUT");
  if (limit != nullptr && *limit != '\0') {
    auto seconds = parse_seconds(limit);
    if (!seconds) return std::move(seconds).error().within("PET_WORKER_TIMEOUT");
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
    options.start_timeout = options.timeout;
  }
  auto runtime = Runtime::start(std::move(options), std::move(stop));
  if (!runtime) return std::move(runtime).error();
  return Target{*std::move(runtime), std::move(command)};
}

void add_target_option(CLI::App& command, std::string& target) {
  command
      .add_option("--target", target,
                  "the runtime: ort (ONNX Runtime), or reference (slow, in this process)")
      ->capture_default_str()
      ->check(CLI::IsMember({"ort", "reference"}));
}

Result<Target> start_target(const std::string& name, std::stop_token stop) {
  if (name == "ort") {
    auto command = worker_command();
    if (!command) return std::move(command).error();
    return start_worker(*std::move(command), std::move(stop));
  }
  auto reference =
      std::make_unique<ReferenceBackend>(BackendInfo{.name = "reference",
                                                     .version = PET_VERSION,
                                                     .device = cpu_name(),
                                                     .threads = static_cast<int>(all_threads())});
  return Target{std::move(reference), {"pet", "/proc/self/exe"}};
}

Result<std::optional<std::string>> refusal_of(Backend& backend, const std::filesystem::path& file,
                                              const LoadOptions& options, std::stop_token stop) {
  auto loaded = backend.load(file, options, std::move(stop));
  if (loaded) {
    backend.unload(loaded->id);
    return std::optional<std::string>();
  }
  if (loaded.error().kind != ErrorKind::Unsupported) return std::move(loaded).error();
  return std::optional(std::move(loaded).error().message);
}

Status check_runs(Backend& backend, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop) {
  auto refusal = refusal_of(backend, file, options, std::move(stop));
  const bool is_tool = refusal ? refusal->has_value() : refusal.error().kind == ErrorKind::Tool;
  if (refusal && !*refusal) return Done{};
  Error error = refusal ? Error{**refusal, ErrorKind::Tool} : std::move(refusal).error();
  if (is_tool) error.message += "; what is measured must run in " + backend.info().name;
  return error;
}

}  // namespace pet::app
