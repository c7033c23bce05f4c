#include "app/pet/runtime.h"

#include <cstdlib>

#include "app/common/command_line.h"

namespace pet::app {

Result<std::unique_ptr<Runtime>> start_runtime(std::stop_token stop) {
  auto command = worker_command();
  if (!command) return std::move(command).error();
  Runtime::Options options{.command = *std::move(command)};
  const char* limit = std::getenv("PET_WORKER_TIMEOUT");
  if (limit != nullptr && *limit != '\0') {
    auto seconds = parse_seconds(limit);
    if (!seconds) return std::move(seconds).error().within("PET_WORKER_TIMEOUT");
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
    options.start_timeout = options.timeout;
  }
  return Runtime::start(std::move(options), std::move(stop));
}

Status check_runs(Runtime& runtime, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop) {
  auto loaded = runtime.load(file, options, std::move(stop));
  if (!loaded) {
    Error error = std::move(loaded).error();
    error.message += "; what is measured must run in " + runtime.info().name;
    return error;
  }
  runtime.unload(loaded->id);
  return Done{};
}

}  // namespace pet::app
