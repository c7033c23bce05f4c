#include "app/pet/runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "core/backend/reference.h"
#include "core/backend/runtime.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

Result<Target> start_worker(std::stop_token stop) {
  auto command = worker_command();
  if (!command) return std::move(command).error();
  Runtime::Options options{.command = *command};
  const char* limit = std::getenv("PET_WORKER_TIMEOUT");
  if (limit != nullptr && *limit != '\0') {
    auto seconds = parse_seconds(limit);
    if (!seconds) return std::move(seconds).error().within("PET_WORKER_TIMEOUT");
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
    options.start_timeout = options.timeout;
  }
  auto runtime = Runtime::start(std::move(options), std::move(stop));
  if (!runtime) return std::move(runtime).error();
  return Target{*std::move(runtime), *std::move(command)};
}

}  // namespace

void add_target_option(CLI::App& command, std::string& target) {
  command
      .add_option("--target", target,
                  "the runtime: ort (ONNX Runtime), or reference (slow, in this process)")
      ->capture_default_str()
      ->check(CLI::IsMember({"ort", "reference"}));
}

Result<Target> start_target(const std::string& name, std::stop_token stop) {
  if (name == "ort") return start_worker(std::move(stop));
  auto reference =
      std::make_unique<ReferenceBackend>(BackendInfo{.name = "reference",
                                                     .version = PET_VERSION,
                                                     .device = cpu_name(),
                                                     .threads = static_cast<int>(all_threads())});
  return Target{std::move(reference), {"pet", "/proc/self/exe"}};
}

Status check_runs(Backend& backend, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop) {
  auto loaded = backend.load(file, options, std::move(stop));
  if (!loaded) {
    Error error = std::move(loaded).error();
    if (error.kind == ErrorKind::Tool)
      error.message += "; what is measured must run in " + backend.info().name;
    return error;
  }
  backend.unload(loaded->id);
  return Done{};
}

Result<std::vector<double>> time_alone(Backend& backend, const std::filesystem::path& file,
                                       const LoadOptions& options, double seconds,
                                       std::uint64_t seed, std::stop_token stop) {
  using Clock = std::chrono::steady_clock;
  const auto loaded = backend.load(file, options, stop);
  if (!loaded) return loaded.error();
  std::vector<double> out;
  PairPlan plan{.rounds = 1, .warmup = 1};
  plan.seed = seed;
  constexpr std::size_t kEnough = 100;
  for (double left = seconds; out.empty() || (left > 0 && out.size() < kEnough);) {
    plan.order_seed = out.size();
    const auto asked = Clock::now();
    const auto timing = backend.time_pair(loaded->id, loaded->id, plan, stop);
    const double took = std::chrono::duration<double>(Clock::now() - asked).count();
    if (!timing) {
      backend.unload(loaded->id);
      return Error(timing.error()).within(printable(file.string()));
    }
    for (const auto* side : {&timing->a_ms, &timing->b_ms})
      out.insert(out.end(), side->begin(), side->end());
    left -= took;
    const double a_round = std::max(1e-6, took / (plan.rounds + plan.warmup));
    plan.rounds = static_cast<int>(std::clamp(left / a_round, 1.0, 50.0));
    plan.warmup = 0;
  }
  backend.unload(loaded->id);
  return out;
}

}  // namespace pet::app
